//! Which packages are learnt from, and what their programs say to readers. `tests/it/guard_text.rs` has this file in it too, so
//! that what is measured there is what was not learnt here.

/// Every second package by the digest of its name: all versions of one are on one side. A folder is `name-version`.
pub(crate) fn is_learnt_from(folder: &str) -> bool {
    let name = folder.split('@').next().unwrap_or_default();
    let end = name.match_indices('-').find(|(at, _)| name[at + 1..].starts_with(|c: char| c.is_ascii_digit()));
    let name = end.map_or(name, |(at, _)| &name[..at]);
    let name = name.trim_end_matches("-source").trim_end_matches("-wheel");
    !name.starts_with('.') && name.bytes().fold(0_u32, |sum, byte| sum * 31 % 65_521 + u32::from(byte)) % 2 == 0
}

/// A shorter comment says too little, in bytes.
const SHORTEST_COMMENT: usize = 40;

/// The docstrings of a Python program, and its blocks of comments.
pub(crate) fn comments(program: &str) -> Vec<String> {
    let mut found: Vec<String> = program.split("\"\"\"").skip(1).step_by(2).map(str::to_owned).collect();
    let mut block = String::new();
    for line in program.lines().chain([""]) {
        if line.trim_start().starts_with('#') {
            block.push_str(line);
            block.push('\n');
        } else if !block.is_empty() {
            found.push(std::mem::take(&mut block));
        }
    }
    found.retain(|one| one.len() > SHORTEST_COMMENT);
    found
}
