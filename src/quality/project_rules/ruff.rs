//! ruff's configuration as a project brings it, and what is left of it.

use std::collections::BTreeSet;

use toml::{Table, Value};

use super::ReducedConfiguration;
use super::ruff_keys::FOLLOWED;

/// Where ruff's own settings for lints are since they moved there; it still takes them from above.
const LINT: &str = "lint";

/// Writes the configuration anew with the keys that are followed. Without a target of its own it gets `target`, since
/// ruff would look for one in the folders around.
pub(super) fn reduce_ruff_configuration(settings: &Table, target: &str) -> ReducedConfiguration {
    let mut reducer = RuffReducer::default();
    // What stands below `lint` counts more than what stands above, so it is written last.
    let (lint, above): (Vec<_>, Vec<_>) = settings.iter().partition(|(key, _)| *key == LINT);
    for (key, value) in above.into_iter().chain(lint) {
        reducer.take_setting(key, value);
    }
    reducer.kept.entry("target-version").or_insert_with(|| target.into());
    ReducedConfiguration { text: reducer.kept.to_string(), left_out: reducer.left_out }
}

#[derive(Default)]
struct RuffReducer {
    kept: Table,
    left_out: BTreeSet<String>,
}

impl RuffReducer {
    fn take_setting(&mut self, key: &str, value: &Value) {
        let place = [key.to_owned(), format!("{LINT}.{key}")];
        let followed = place.iter().find_map(|place| FOLLOWED.iter().find(|(name, _)| name == place));
        match (followed, value) {
            (Some((name, kind)), _) if kind.admits_value(value) => insert_at_path(&mut self.kept, name, value.clone()),
            (None, Value::Table(inner)) if place.iter().any(|place| holds_followed(place)) => {
                for (name, value) in inner {
                    self.take_setting(&format!("{key}.{name}"), value);
                }
            }
            _ => {
                self.left_out.insert(key.to_owned());
            }
        }
    }
}

/// True when some key that is followed is in this table.
fn holds_followed(table: &str) -> bool {
    FOLLOWED.iter().any(|(name, _)| name.strip_prefix(table).is_some_and(|rest| rest.starts_with('.')))
}

/// Puts a value at a dotted place.
fn insert_at_path(table: &mut Table, place: &str, value: Value) {
    match place.split_once('.') {
        None => {
            table.insert(place.to_owned(), value);
        }
        Some((first, rest)) => {
            let inner = table.entry(first).or_insert_with(|| Value::Table(Table::new()));
            if let Value::Table(inner) = inner {
                insert_at_path(inner, rest, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ruff_keys::{NOT_FOLLOWED, REVIEWED};
    use super::*;
    use tapps_toolchain::Lock;

    fn reduced(text: &str) -> (Table, Vec<String>) {
        let reduced = reduce_ruff_configuration(&text.parse().unwrap(), "py312");
        (reduced.text.parse().unwrap(), reduced.left_out.into_iter().collect())
    }

    fn table(text: &str) -> Table {
        text.parse().unwrap()
    }

    #[test]
    fn the_locked_ruff_is_the_one_whose_keys_were_looked_at() {
        let lock = Lock::embedded().unwrap();
        let versions: Vec<&str> =
            lock.artifacts.iter().filter(|one| one.name == "ruff").map(|one| one.version.as_str()).collect();
        assert!(!versions.is_empty());
        assert!(versions.iter().all(|version| *version == REVIEWED), "look through ruff's keys again: {versions:?}");
    }

    #[test]
    fn no_key_is_in_both_lists_and_none_is_below_another() {
        for (at, (name, _)) in FOLLOWED.iter().enumerate() {
            assert!(!NOT_FOLLOWED.contains(name), "{name}");
            let below = |other: &str| other.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
            assert!(!FOLLOWED.iter().any(|(other, _)| below(other)), "{name}");
            assert!(FOLLOWED[at + 1..].iter().all(|(other, _)| other > name), "{name}");
        }
    }

    #[test]
    fn which_rules_hold_and_how_is_followed() {
        let own = "line-length = 100\ntarget-version = 'py310'\n[lint]\nselect = ['E', 'PLR0913']\nignore = ['E501']\n\
                   [lint.per-file-ignores]\n'tests/*' = ['S101']\n[lint.mccabe]\nmax-complexity = 5\n\
                   [lint.flake8-tidy-imports.banned-api.cgi]\nmsg = 'no'\n";
        assert_eq!(reduced(own), (table(own), vec![]));
    }

    #[test]
    fn what_names_files_or_decides_what_is_written_is_not() {
        let own = "extend = '/etc/passwd'\ncache-dir = '/tmp/x'\nsrc = ['/']\nrequired-version = '>=99'\nfix = true\n\
                   output-format = 'full'\nexclude = ['a.py']\nforce-exclude = true\nunheard-of = 1\n\
                   [format]\nexclude = ['x']\n[lint]\nexclude = ['b.py']\nselect = ['F']\n\
                   [lint.flake8-bandit]\nhardcoded-tmp-directory = ['/tmp']\n";
        let (kept, left_out) = reduced(own);
        assert_eq!(kept, table("target-version = 'py312'\n[lint]\nselect = ['F']\n"));
        let expected = [
            "cache-dir",
            "exclude",
            "extend",
            "fix",
            "force-exclude",
            "format",
            "lint.exclude",
            "lint.flake8-bandit.hardcoded-tmp-directory",
            "output-format",
            "required-version",
            "src",
            "unheard-of",
        ];
        assert_eq!(left_out, expected);
    }

    #[test]
    fn a_value_of_another_shape_is_left_out_and_its_neighbours_stay() {
        let (kept, left_out) = reduced(
            "line-length = '/etc/passwd'\nlint = { select = 'E', ignore = ['E5\\n'], mccabe = 3, preview = true }\n",
        );
        assert_eq!(kept, table("target-version = 'py312'\n[lint]\npreview = true\n"));
        assert_eq!(left_out, ["line-length", "lint.ignore", "lint.mccabe", "lint.select"]);
    }

    #[test]
    fn settings_of_lints_are_taken_from_where_they_used_to_be() {
        let (kept, left_out) =
            reduced("select = ['D']\nignore = ['D100']\n[mccabe]\nmax-complexity = 3\n[lint]\nselect = ['F']\n");
        let moved =
            "target-version = 'py312'\n[lint]\nselect = ['F']\nignore = ['D100']\n[lint.mccabe]\nmax-complexity = 3\n";
        assert_eq!((kept, left_out), (table(moved), vec![]));
    }
}
