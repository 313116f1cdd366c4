//! How clients start this program, and how an entry that does so is known.

use std::path::Path;

use tapps_base::{Error, ErrorCode, Result};

/// What starts the server.
const SERVE: &str = "serve";

/// Names under which the program is installed; a wrapper keeps the real one under the second.
const PROGRAMS: [&str; 2] = ["tapps-mcp", ".tapps-mcp-wrapped"];

/// Flakes work without a setting of the machine.
const FLAKES: [&str; 2] = ["--extra-experimental-features", "nix-command flakes"];

/// A command that starts this program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// Absolute, since graphical programs do not see the search path of a shell.
    pub command: String,
    /// What comes before the program's own arguments.
    before: Vec<String>,
}

impl Launch {
    /// The program in a file.
    ///
    /// # Errors
    /// `config_error` when its path is not text, which no configuration can hold.
    pub fn from_program(path: &Path) -> Result<Self> {
        Ok(Self { command: path_to_text(path)?, before: Vec::new() })
    }

    /// `nix run` with a flake; `nix` is where Nix's own program is.
    ///
    /// # Errors
    /// As [`Launch::from_program`].
    pub fn from_nix_flake(nix: &Path, flake: &str) -> Result<Self> {
        let before = FLAKES.into_iter().chain(["run", flake, "--"]).map(str::to_owned).collect();
        Ok(Self { command: path_to_text(nix)?, before })
    }

    /// True when the first start may take long, since something is built or fetched.
    #[must_use]
    pub fn is_slow_at_first(&self) -> bool {
        !self.before.is_empty()
    }

    /// All arguments that start the program with the given ones of its own.
    #[must_use]
    pub fn arguments(&self, own: &[String]) -> Vec<String> {
        self.before.iter().chain(own).cloned().collect()
    }

    /// The arguments of a new entry.
    #[must_use]
    pub fn serve_arguments(&self) -> Vec<String> {
        self.arguments(&[SERVE.to_owned()])
    }

    /// The arguments of an entry that has some of the program's own already.
    #[must_use]
    pub fn arguments_keeping(&self, own: &[String]) -> Vec<String> {
        if own.is_empty() { self.serve_arguments() } else { self.arguments(own) }
    }

    /// The command for the command line of a shell, without arguments of the program's own.
    #[must_use]
    pub fn for_shell(&self) -> String {
        let words = std::iter::once(&self.command).chain(&self.before);
        words.map(|word| quote_for_shell(word)).collect::<Vec<_>>().join(" ")
    }
}

/// The arguments of the program's own when a command starts this program; none when it starts something else.
///
/// `by_name` says that the entry has the name that this program's entries get, which makes out any flake.
#[must_use]
pub fn own_arguments(command: &str, arguments: &[String], by_name: bool) -> Option<Vec<String>> {
    let file = command.rsplit(['/', '\\']).next().unwrap_or(command);
    let file = file.strip_suffix(".exe").unwrap_or(file);
    if PROGRAMS.contains(&file) {
        return Some(arguments.to_vec());
    }
    if file != "nix" {
        return None;
    }
    let border = arguments.iter().position(|word| word == "--")?;
    let (before, own) = (arguments.get(..border)?, arguments.get(border + 1..)?);
    let ours = before.iter().any(|word| word.contains("tapps-mcp")) || by_name;
    let runs = before.iter().any(|word| word == "run") && own.iter().any(|word| word == SERVE);
    (ours && runs).then(|| own.to_vec())
}

fn path_to_text(path: &Path) -> Result<String> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        Error::new(ErrorCode::ConfigError, format!("the path {} is not text", path.display()))
            .hint("put the program where every folder has a name in UTF-8")
    })
}

/// A word as a POSIX shell reads it back.
fn quote_for_shell(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:@%,#".contains(c);
    if !word.is_empty() && word.chars().all(plain) && !word.starts_with('#') {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The program that a line starts, where it is written as [`Launch::for_shell`] writes one.
#[must_use]
pub fn first_word_of_shell(line: &str) -> Option<String> {
    let (mut word, mut quoted, mut escaped) = (String::new(), false, false);
    for c in line.chars() {
        match c {
            _ if escaped => {
                word.push(c);
                escaped = false;
            }
            '\'' => quoted = !quoted,
            '\\' if !quoted => escaped = true,
            ' ' if !quoted => break,
            _ => word.push(c),
        }
    }
    (!word.is_empty() && !quoted).then_some(word)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[rstest]
    #[case("/opt/tapps-mcp", "serve --read-only", false, Some("serve --read-only"))]
    #[case("tapps-mcp", "", false, Some(""))]
    #[case(r"C:\tools\tapps-mcp.exe", "serve", false, Some("serve"))]
    #[case("/nix/store/x/bin/.tapps-mcp-wrapped", "serve", false, Some("serve"))]
    #[case("/usr/bin/nix", "run github:a/tapps-mcp -- serve", false, Some("serve"))]
    #[case("nix", "run path:/a -- serve", false, None)]
    #[case("nix", "run path:/a -- serve", true, Some("serve"))]
    #[case("nix", "build tapps-mcp", true, None)]
    #[case("npx", "-y tapps-mcp serve", true, None)]
    fn entries_are_known(
        #[case] command: &str,
        #[case] arguments: &str,
        #[case] by_name: bool,
        #[case] own: Option<&str>,
    ) {
        assert_eq!(own_arguments(command, &words(arguments), by_name), own.map(words));
    }

    #[test]
    fn what_is_written_is_known_again() {
        let nix = Launch::from_nix_flake(Path::new("/usr/bin/nix"), "path:/a b").unwrap();
        assert_eq!(own_arguments(&nix.command, &nix.serve_arguments(), true), Some(words("serve")));
        assert_eq!(
            nix.for_shell(),
            "/usr/bin/nix --extra-experimental-features 'nix-command flakes' run 'path:/a b' --"
        );
        let program = Launch::from_program(Path::new("/it's here/tapps-mcp")).unwrap();
        assert_eq!(program.serve_arguments(), ["serve"]);
        assert_eq!(program.for_shell(), r"'/it'\''s here/tapps-mcp'");
        let line = format!("{} check --client 'a b'", program.for_shell());
        assert_eq!(first_word_of_shell(&line).as_deref(), Some("/it's here/tapps-mcp"));
        assert_eq!(first_word_of_shell("'no end"), None);
    }
}
