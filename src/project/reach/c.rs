//! What reach needs to know of a file of C or C++.

use super::module::{ModuleFacts, ModuleImport};
use tapps_syntax::c::{included_names, role_of_text};

/// Words that assertions begin with: those of `assert.h`, GoogleTest, Catch2, doctest, Unity, Check, Criterion, CMocka and GLib.
const ASSERTING: &[&str] = &[
    "assert",
    "boost_check",
    "boost_require",
    "check",
    "ck_",
    "cr_",
    "cu_assert",
    "expect",
    "fail",
    "g_assert",
    "munit_",
    "require",
    "test_assert",
];

/// Reads a file. There is none that cannot be read: only its signs are looked at.
pub(super) fn read_c_module(text: &str, is_test: bool) -> ModuleFacts {
    let role = role_of_text(text, ASSERTING);
    let import = |module: String| ModuleImport { module, star: true, ..ModuleImport::default() };
    ModuleFacts {
        imports: included_names(text).into_iter().map(import).collect(),
        tests: is_test && role.calls_words,
        logic: role.has_logic,
        ..ModuleFacts::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_logic_and_tests() {
        let text = "#include <stdio.h>\n#  include \"shop/price.h\" // ours\nTEST(Price, adds) { EXPECT_EQ(3, total(1, 2)); }\n";
        let module = read_c_module(text, true);
        let told: Vec<&str> = module.imports.iter().map(|import| import.module.as_str()).collect();
        assert_eq!(told, ["stdio.h", "shop/price.h"]);
        assert!(module.tests && module.logic && !read_c_module(text, false).tests);
        let header = read_c_module("int total(int a);\nstruct A { int b; };\n", true);
        assert!(!header.tests && !header.logic);
    }
}
