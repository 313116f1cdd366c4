//! One line of a requirements file, one entry of a dependency list.

use super::pins::Pin;
use crate::symbol::Ecosystem;

/// `name[extra] == 1.2 ; marker`; `None` for a path, an address or an option.
pub(super) fn read(line: &str) -> Option<Pin> {
    let line = line.split(" #").next().unwrap_or(line);
    let line = line.split(';').next().unwrap_or(line);
    let line = line.split("--hash").next().unwrap_or(line).trim().trim_end_matches('\\').trim();
    let end = line.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))).unwrap_or(line.len());
    let (name, rest) = line.split_at_checked(end)?;
    if name.is_empty() || name.starts_with(['-', '.']) || rest.contains(['@', '/']) {
        return None;
    }
    let rest = rest.trim();
    let rest = if rest.starts_with('[') { rest.split_once(']')?.1.trim() } else { rest };
    let rest = rest.trim_start_matches('(').trim_end_matches(')').trim();
    let exact = rest.strip_prefix("===").or_else(|| rest.strip_prefix("==")).map(str::trim);
    match exact.filter(|version| !version.contains(['*', ',', ' ']) && !version.is_empty()) {
        Some(version) => Some(Pin::exact(Ecosystem::Python, name, version)),
        None => Some(Pin::wanted(Ecosystem::Python, name, rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_pin_or_want_or_say_nothing() {
        let of = |line| read(line).map(|pin| (pin.library, pin.version, pin.requirement));
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(of("Flask_Login==0.6.3 # x"), Some(("flask-login".into(), some("0.6.3"), None)));
        assert_eq!(of("a[b,c] == 1.0 \\"), Some(("a".into(), some("1.0"), None)));
        assert_eq!(of("a ==1.* "), Some(("a".into(), None, some("==1.*"))));
        assert_eq!(of("a (>=1,<2)"), Some(("a".into(), None, some(">=1,<2"))));
        assert_eq!(of("a"), Some(("a".into(), None, None)));
        for nothing in ["-r x.txt", "./local", "https://x/y.whl", "git+ssh://x", "pkg @ file:///x", "", "# c"] {
            assert_eq!(of(nothing), None, "{nothing}");
        }
    }
}
