//! What reach needs to know of a shell script: which other scripts it sources or runs.

use super::module::{ModuleFacts, ModuleImport};
use tapps_base::language::Language;
use tapps_syntax::shell;

/// Reads a script. There is none that cannot be read: only its words are looked at.
pub(super) fn read_shell_module(text: &str, is_test: bool) -> ModuleFacts {
    let mut facts = ModuleFacts { tests: is_test, ..ModuleFacts::default() };
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        facts.logic |= !line.is_empty();
        let mut words = line.split(|c: char| c.is_whitespace() || "\"'();&|<>`=".contains(c)).filter(|w| !w.is_empty());
        // bats looks for a helper beside the test, and adds the ending itself.
        let loaded = words.clone().next().filter(|first| *first == "load").and_then(|_| words.clone().nth(1));
        let named =
            words.find_map(script_name).or_else(|| loaded.map(|name| format!("{}.bash", path_below_values(name))));
        facts.imports.extend(named.map(|module| ModuleImport { module, star: true, ..ModuleImport::default() }));
    }
    facts
}

/// The part of a word behind the last value in it, where that names a script: `lib/a.sh` of `"$here/lib/a.sh"`.
fn script_name(word: &str) -> Option<String> {
    let name = path_below_values(word);
    (Language::of_path(name) == Some(Language::Shell)).then(|| name.to_owned())
}

/// As [`shell::below_values`], seen from wherever it is.
fn path_below_values(word: &str) -> &str {
    let mut below = shell::below_values(word);
    while let Some(rest) = ["/", "./", "../"].iter().find_map(|start| below.strip_prefix(start)) {
        below = rest;
    }
    below
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_that_are_sourced_or_run_are_named() {
        assert_eq!(path_below_values("/../bin/total.sh"), "bin/total.sh");
        assert_eq!(path_below_values("../.ci/a.sh"), ".ci/a.sh");
        let text = "#!/bin/bash\n# see old.sh\n. lib/a.sh\nsource \"$here/lib/b.bash\"\nbash ./c.sh --now\n\
            run \"${BATS_TEST_DIRNAME}/../bin/d.sh\"\nload helpers/e\necho done\n";
        let module = read_shell_module(text, true);
        let told: Vec<&str> = module.imports.iter().map(|import| import.module.as_str()).collect();
        assert_eq!(told, ["lib/a.sh", "lib/b.bash", "c.sh", "bin/d.sh", "helpers/e.bash"]);
        assert!(module.tests && module.logic);
        assert!(!read_shell_module("#!/bin/sh\n# nothing\n\n", false).logic);
    }
}
