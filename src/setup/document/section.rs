//! A section of a markdown file between two marks; the rest of the file is the user's.

use super::{broken_document_error, newline};
use tapps_base::Result;

const BEGIN: &str = "<!-- tapps-mcp: begin -->";
const END: &str = "<!-- tapps-mcp: end -->";

/// The document with `body` between the marks; they are put at the end when they are not there yet.
///
/// # Errors
/// `config_error` with the line when a mark stands alone or twice.
pub fn set_marked_section(text: &str, file: &str, body: &str) -> Result<String> {
    let newline = newline(text);
    let section = format!("{BEGIN}\n{}\n{END}", body.trim_end()).replace('\n', newline);
    let (begins, ends) = (places(text, BEGIN), places(text, END));
    match (begins.as_slice(), ends.as_slice()) {
        ([], []) => {
            let gap = match text {
                "" => String::new(),
                text if text.ends_with('\n') => newline.to_owned(),
                _ => newline.repeat(2),
            };
            Ok(format!("{text}{gap}{section}{newline}"))
        }
        ([begin], [end]) if begin < end => {
            let before = text.get(..*begin).unwrap_or_default();
            let after = text.get(end + END.len()..).unwrap_or_default();
            Ok(format!("{before}{section}{after}"))
        }
        ([begin], []) => Err(section_error_at(text, file, *begin, "the section that begins here has no end")),
        ([], [end]) => Err(section_error_at(text, file, *end, "the section that ends here has no beginning")),
        ([_, second, ..], _) | (_, [_, second, ..]) => {
            Err(section_error_at(text, file, *second, "this mark stands here twice"))
        }
        ([_], [end]) => Err(section_error_at(text, file, *end, "the section ends before it begins")),
    }
}

/// Whether a document has the section.
#[must_use]
pub fn has_marked_section(text: &str) -> bool {
    text.contains(BEGIN)
}

fn places(text: &str, mark: &str) -> Vec<usize> {
    text.match_indices(mark).map(|(at, _)| at).collect()
}

fn section_error_at(text: &str, file: &str, offset: usize, what: &str) -> tapps_base::Error {
    let before = text.get(..offset).unwrap_or_default();
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    broken_document_error(file, before.matches('\n').count() + 1, column, what)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("", "<!-- tapps-mcp: begin -->\nnew\n<!-- tapps-mcp: end -->\n")]
    #[case("# Mine\n", "# Mine\n\n<!-- tapps-mcp: begin -->\nnew\n<!-- tapps-mcp: end -->\n")]
    #[case("# Mine", "# Mine\n\n<!-- tapps-mcp: begin -->\nnew\n<!-- tapps-mcp: end -->\n")]
    #[case(
        "a\r\n<!-- tapps-mcp: begin -->\r\nold\r\n<!-- tapps-mcp: end -->\r\nb\r\n",
        "a\r\n<!-- tapps-mcp: begin -->\r\nnew\r\n<!-- tapps-mcp: end -->\r\nb\r\n"
    )]
    fn only_the_section_changes(#[case] before: &str, #[case] after: &str) {
        let once = set_marked_section(before, "AGENTS.md", "new\n").unwrap();
        assert_eq!(once, after);
        assert_eq!(set_marked_section(&once, "AGENTS.md", "new\n").unwrap(), once);
    }

    #[rstest]
    #[case("a\n b <!-- tapps-mcp: begin -->\n", "AGENTS.md:2:4: the section that begins here has no end")]
    #[case("<!-- tapps-mcp: end -->", "AGENTS.md:1:1: the section that ends here has no beginning")]
    #[case(
        "<!-- tapps-mcp: begin -->\n<!-- tapps-mcp: begin -->\n<!-- tapps-mcp: end -->",
        "AGENTS.md:2:1: this mark stands here twice"
    )]
    #[case("<!-- tapps-mcp: end -->\n<!-- tapps-mcp: begin -->", "AGENTS.md:1:1: the section ends before it begins")]
    fn marks_that_do_not_match_are_told(#[case] text: &str, #[case] message: &str) {
        assert_eq!(set_marked_section(text, "AGENTS.md", "new").unwrap_err().message(), message);
    }
}
