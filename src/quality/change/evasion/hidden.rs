//! Code that is there and that no rule looks at, or that people see as something else.

use std::sync::LazyLock;

use regex::Regex;

use super::super::report::{Evasion, EvasionKind};
use super::super::side::{FilePair, FileSide};
use tapps_base::language::ScoredLanguage;
use tapps_rules::go;

/// Adds what the change hides of one file.
pub(super) fn find_hidden_code(pair: &FilePair, pairs: &[FilePair], found: &mut Vec<Evasion>) {
    let of_language = |side: &FileSide| side.score.language.is_some();
    let base_read = pair.base.as_ref().is_some_and(of_language);
    if pair.became_link && base_read {
        let message = "the file is a link now, and no rule reads what it leads to".to_owned();
        found.push(Evasion::new(EvasionKind::LeftScope, 0, message));
    }
    let Some(head) = &pair.head else { return };
    let origin = pair.gone_origin(pairs).filter(|origin| ScoredLanguage::of_path(origin).is_some());
    if let Some(origin) = origin.filter(|_| !of_language(head)) {
        let message = format!("the code of {origin} has a name by which no rule reads it");
        found.push(Evasion::new(EvasionKind::LeftScope, 0, message));
        return;
    }
    if !of_language(head) {
        return;
    }
    let before: &[String] = pair.base.as_ref().map_or(&[], |base| &base.lines);
    for (line, text) in (1..).zip(&head.lines) {
        if let Some(sign) = text.chars().find(|sign| misleads(*sign))
            && !before.contains(text)
        {
            let message = format!("U+{:04X} makes the line look like something else than it is", u32::from(sign));
            found.push(Evasion::new(EvasionKind::InvisibleText, line, message));
        }
    }
    found.extend(find_lost_advice(pair, head, before));
    if let Some((line, name)) = odd_encoding(&head.lines)
        && odd_encoding(before).is_none_or(|(_, before)| before != name)
    {
        let message = format!("the file asks to be read as {name}, by which its bytes mean something else");
        found.push(Evasion::new(EvasionKind::InvisibleText, line, message));
    }
}

/// A file whose types are checked no more, because it is a script without types now.
pub(super) fn find_lost_types(pair: &FilePair, pairs: &[FilePair]) -> Option<Evasion> {
    pair.head.as_ref()?;
    let (stem, ending) = pair.path.rsplit_once('.')?;
    let typed = match ending {
        "js" | "jsx" => ["ts", "tsx"],
        "mjs" => ["mts", "ts"],
        "cjs" => ["cts", "ts"],
        _ => return None,
    };
    let had_types = |path: &str| path.rsplit_once('.').is_some_and(|(_, ending)| typed.contains(&ending));
    let was = match pair.old_path.as_deref() {
        Some(old) if had_types(old) => old,
        // Written anew under the same name.
        _ => {
            let gone =
                |one: &&FilePair| one.head.is_none() && one.path.rsplit_once('.').is_some_and(|(path, _)| path == stem);
            let gone = pairs.iter().find(gone).filter(|one| had_types(&one.path) && pair.base.is_none())?;
            gone.path.as_str()
        }
    };
    let message = format!("the types of {was} are checked no more under this name");
    Some(Evasion::new(EvasionKind::LeftScope, 0, message))
}

/// Signs that change the order of others, and signs that nobody sees.
const fn misleads(sign: char) -> bool {
    matches!(sign, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2060}' | '\u{200b}' | '\u{e0000}'..='\u{e007f}')
}

/// A file of Go that rules leave alone now: by its mark, by its folder or by what it imports. What a program writes comes with
/// its mark, and what serves tests in its folder.
fn find_lost_advice(pair: &FilePair, head: &FileSide, before: &[String]) -> Option<Evasion> {
    if !pair.path.ends_with(".go") {
        return None;
    }
    const ADVICE: &str = "rules that advise a hand";
    let old_path = pair.old_path.as_deref().unwrap_or(&pair.path);
    let (line, says, rules) = match mark_of(&head.lines) {
        Some(line) if mark_of(before).is_none() => (line, "says that a program writes it", ADVICE),
        _ if go::is_beyond_advice_at(&pair.path) && !go::is_beyond_advice_at(old_path) => {
            (0, "stands among tests, what serves them, or code of others", ADVICE)
        }
        _ if !pair.path.ends_with("_test.go") && test_import_of(before).is_none() => {
            (test_import_of(&head.lines)?, "imports what only tests use", "most rules")
        }
        _ => return None,
    };
    let message = format!("the file {says} now, and {rules} leave it alone");
    let lost = Evasion::new(EvasionKind::LeftScope, line, message);
    Some(if pair.base.is_some() { lost } else { lost.told() })
}

fn test_import_of(lines: &[String]) -> Option<u32> {
    go::test_import(lines.iter().map(String::as_str))
}

fn mark_of(lines: &[String]) -> Option<u32> {
    go::generated_mark(lines.iter().map(String::as_str).take_while(|line| !line.starts_with("package ")))
}

/// The declaration of an encoding in which ASCII is not ASCII, with its line.
fn odd_encoding(lines: &[String]) -> Option<(u32, String)> {
    static DECLARED: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^[ \t\x0c]*#.*?coding[:=][ \t]*([-\w.]+)").ok());
    let declared = DECLARED.as_ref()?;
    let (line, name) = (1..).zip(lines.iter().take(2)).find_map(|(line, text)| {
        Some((line, declared.captures(text)?.get(1)?.as_str().to_ascii_lowercase().replace('_', "-")))
    })?;
    let plain = ["utf-8", "utf8", "utf-8-sig", "ascii", "us-ascii", "latin-1", "latin1"].contains(&name.as_str())
        || ["iso-8859", "iso8859", "windows-12", "cp12", "koi8"].iter().any(|beginning| name.starts_with(beginning));
    (!plain).then_some((line, name))
}
