//! The source text of this repository, for the tests that hold its form.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

/// A source file with comments and literals blanked out, so that only code is left.
pub(crate) struct Source {
    /// Relative to the package, with forward slashes.
    pub(crate) path: String,
    pub(crate) text: String,
    /// The text with comments and literals blanked out.
    pub(crate) code: String,
}

impl Source {
    /// The room a file belongs to; none for the programs and the root of the library.
    pub(crate) fn room(&self) -> Option<&str> {
        let below = self.path.strip_prefix("src/")?;
        below.split_once('/').map(|(room, _)| room).filter(|room| *room != "bin")
    }

    /// The code without the unit tests, which stand last in a file.
    pub(crate) fn production_code(&self) -> &str {
        self.code.find("#[cfg(test)]\nmod tests").map_or(&self.code, |tests| &self.code[..tests])
    }

    /// The line of a place in the code, counted from 1.
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        self.code[..offset].matches('\n').count() + 1
    }

    /// `path:line: text` for a place in the code.
    pub(crate) fn show(&self, offset: usize) -> String {
        let line = self.line_of(offset);
        format!("{}:{line}: {}", self.path, self.text.lines().nth(line - 1).unwrap_or_default().trim())
    }
}

pub(crate) static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in ["src", "tests", "benches", "examples"] {
        collect(&root.join(folder), &mut found);
    }
    found.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let path = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        Source { code: blank(&text), path, text }
    };
    found.into_iter().map(read).collect()
});

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() && !["calibration", "fixtures", "node_modules"].iter().any(|data| path.ends_with(data)) {
            collect(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// Replaces comments, texts and characters by spaces; every byte keeps its place and every line its number.
pub(crate) fn blank(text: &str) -> String {
    static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
        let line_comment = r"//[^\n]*";
        let text = r#"b?"(?:[^"\\]|\\.)*""#;
        let character = r"b?'(?:[^'\\\n]|\\(?:[^u\n]|u\{[^}]*\}))'";
        let raw = (0..4).map(|n| format!(r#"b?r{h}"(?s:.*?)"{h}"#, h = "#".repeat(n))).collect::<Vec<_>>().join("|");
        Regex::new(&format!(r"(?s){line_comment}|/\*.*?\*/|\b(?:{raw})|{text}|{character}")).unwrap()
    });
    let mut code = String::with_capacity(text.len());
    let mut end = 0;
    for token in TOKEN.find_iter(text) {
        code.push_str(&text[end..token.start()]);
        code.extend(token.as_str().bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        end = token.end();
    }
    code + &text[end..]
}
