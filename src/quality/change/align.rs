//! Which line of the one text is which of the other.

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Lines of a base and a head that are the same but for the space around them; numbers are 1-based.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Alignment {
    to_head: Vec<Option<u32>>,
}

impl Alignment {
    pub(super) fn of_lines(base: &[String], head: &[String]) -> Self {
        let (base, head): (Vec<&str>, Vec<&str>) =
            (base.iter().map(|line| line.trim()).collect(), head.iter().map(|line| line.trim()).collect());
        let mut to_head = vec![None; base.len()];
        for operation in capture_diff_slices(Algorithm::Patience, &base, &head) {
            if let DiffOp::Equal { old_index, new_index, len } = operation {
                for at in 0..len {
                    to_head[old_index + at] = u32::try_from(new_index + at + 1).ok();
                }
            }
        }
        Self { to_head }
    }

    /// Where a line of the base is in the head; none when it was changed or taken out.
    pub(super) fn head_line(&self, base_line: u32) -> Option<u32> {
        let at = usize::try_from(base_line).ok()?.checked_sub(1)?;
        self.to_head.get(at).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_partner_through_insertions_and_indentation() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<String>>();
        let aligned = Alignment::of_lines(&lines("a\nb\nc\n"), &lines("x\n  a\nB\n\tc\n"));
        assert_eq!([1, 2, 3].map(|line| aligned.head_line(line)), [Some(2), None, Some(4)]);
        assert_eq!((aligned.head_line(0), aligned.head_line(9)), (None, None));
    }
}
