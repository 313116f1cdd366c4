//! The script blocks of .vue and .svelte files, at their places in the file.

/// The text with everything but the script blocks blanked out, so that every byte keeps its place.
///
/// Blocks that load their code from elsewhere are left out. Also says whether a block is TypeScript.
pub(super) fn blank_outside_scripts(text: &str) -> (String, bool) {
    let mut bytes: Vec<u8> = text.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { byte } else { b' ' }).collect();
    let mut typed = false;
    let lower = text.to_ascii_lowercase();
    let mut at = 0;
    while let Some((attributes, start, end)) = next_block(&lower, at) {
        at = end;
        if attributes.contains("src=") || attributes.contains("json") {
            continue;
        }
        typed |= ["lang=\"ts", "lang='ts", "lang=ts", "typescript"].iter().any(|mark| attributes.contains(mark));
        if let (Some(into), Some(from)) = (bytes.get_mut(start..end), text.as_bytes().get(start..end)) {
            into.copy_from_slice(from);
        }
    }
    (String::from_utf8(bytes).unwrap_or_default(), typed)
}

/// The attributes and the content of the next block.
fn next_block(lower: &str, from: usize) -> Option<(&str, usize, usize)> {
    let mut from = from;
    loop {
        let rest = lower.get(from..)?;
        let script = rest.find("<script")?;
        // A block that is commented out is no block.
        if let Some(comment) = rest.find("<!--").filter(|&comment| comment < script) {
            from += comment + rest.get(comment..)?.find("-->")? + 3;
            continue;
        }
        let open = from + script + "<script".len();
        let after = lower.as_bytes().get(open)?;
        let close = open + lower.get(open..)?.find('>')?;
        if !(after.is_ascii_whitespace() || *after == b'>') {
            from = open;
            continue;
        }
        let end = lower.get(close..)?.find("</script").map_or(lower.len(), |end| close + end);
        return Some((lower.get(open..close)?, close + 1, end));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_keep_their_places() {
        let text = "<!-- <script>no()</script> -->\n<template>é</template>\n<script lang=\"ts\">\nlet é = 1\n</script>\n<script src=\"x.js\"></script>\n<script setup>go()</script>\n";
        let (scripts, typed) = blank_outside_scripts(text);
        assert!(typed);
        assert_eq!(scripts.len(), text.len());
        for part in ["let é = 1", "go()"] {
            assert_eq!(scripts.find(part), text.find(part), "{part}");
        }
        assert_eq!(scripts.split_whitespace().collect::<Vec<_>>().join(" "), "let é = 1 go()");
        assert_eq!(scripts.lines().count(), text.lines().count());
    }

    #[test]
    fn what_is_cut_off_is_read_to_its_end() {
        assert_eq!(blank_outside_scripts("<script>a").0, "        a");
        assert_eq!(blank_outside_scripts("<scripted>a").0.trim(), "");
        assert_eq!(blank_outside_scripts("<script").0.trim(), "");
    }
}
