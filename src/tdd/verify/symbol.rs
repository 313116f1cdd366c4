//! Whether a name that a test could not find is one that the session is about to write.

/// The session's implementation files, by the names under which tests reach them.
#[derive(Debug, Clone)]
pub struct Symbols {
    /// The components of each path, without the file's extension.
    modules: Vec<Vec<String>>,
}

impl Symbols {
    /// The names of `implementation_files`.
    #[must_use]
    pub fn from_implementation_files(implementation_files: &[String]) -> Self {
        let modules = implementation_files
            .iter()
            .map(|file| {
                let mut parts: Vec<String> = file.split('/').map(str::to_owned).collect();
                if let Some(last) = parts.last_mut() {
                    *last = file_stem(last).to_owned();
                }
                parts
            })
            .collect();
        Self { modules }
    }

    /// True when a dotted module name (`pkg.auth`) leads to an implementation file or to a package that holds one.
    #[must_use]
    pub fn has_module(&self, name: &str) -> bool {
        let wanted: Vec<&str> = name.split(['.', ':']).filter(|part| !part.is_empty()).collect();
        if wanted.is_empty() {
            return false;
        }
        self.modules.iter().any(|parts| {
            let parts = match parts.as_slice() {
                [package @ .., last] if last == "__init__" || last == "mod" || last == "index" => package,
                parts => parts,
            };
            parts.windows(wanted.len()).any(|window| window.iter().zip(&wanted).all(|(have, want)| have == want))
        })
    }

    /// True when an import specifier of a script (`./calc`, `/abs/src/calc.mjs`, `@/calc`) ends in an implementation
    /// file's name; a package's name does not.
    #[must_use]
    pub fn has_specifier(&self, specifier: &str) -> bool {
        let is_path = specifier.starts_with(['.', '/']) || specifier.starts_with("file:") || specifier.contains("/");
        let last = file_stem(specifier.rsplit('/').next().unwrap_or_default());
        is_path
            && !last.is_empty()
            && self.modules.iter().any(|parts| match parts.as_slice() {
                [.., folder, file] if file == "index" => file == last || folder == last,
                [.., file] => file == last,
                [] => false,
            })
    }
}

/// A file's name up to its first dot that is not its first character.
fn file_stem(name: &str) -> &str {
    match name.char_indices().skip(1).find(|(_, c)| *c == '.') {
        Some((dot, _)) => name.get(..dot).unwrap_or(name),
        None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbols() -> Symbols {
        let files = ["src/pkg/auth.py", "lib/__init__.py", "web/calc.mjs", "ui/button/index.tsx", "src/parse/mod.rs"];
        Symbols::from_implementation_files(&files.map(str::to_owned))
    }

    #[test]
    fn modules_of_the_session_are_known_under_every_root() {
        let symbols = symbols();
        for name in ["auth", "pkg.auth", "src.pkg.auth", "pkg", "lib", "parse"] {
            assert!(symbols.has_module(name), "{name}");
        }
        for name in ["requests", "authx", "auth.views", "", "pkg.other", "button.index"] {
            assert!(!symbols.has_module(name), "{name}");
        }
    }

    #[test]
    fn specifiers_are_paths() {
        let symbols = symbols();
        for name in ["./calc", "../web/calc.mjs", "/abs/web/calc.mjs", "file:///abs/web/calc.mjs", "@/ui/button"] {
            assert!(symbols.has_specifier(name), "{name}");
        }
        for name in ["calc", "react", "./other", "", "./"] {
            assert!(!symbols.has_specifier(name), "{name}");
        }
    }
}
