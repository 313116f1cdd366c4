//! Which external rules are scored, and what each means here.
//!
//! The set is explicit and versioned because defaults move: between two minor releases ruff's default selection grew
//! from 59 to 413 rules. Rules whose answer depends on the files around (import sorting, namespace packages) or on
//! taste (quotes, line length, docstring style) are left out.

use tapps_base::finding::{Category, Severity};

/// Names the selection, severities and costs below; part of every toolchain fingerprint. Change it with them.
pub const VERSION: &str = "tapps-2026.11";

/// What one ruff rule means for the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuffRule {
    pub code: &'static str,
    pub category: Category,
    pub severity: Severity,
    /// Fails any gate, whatever the score.
    pub blocking: bool,
}

const fn lint(code: &'static str, severity: Severity) -> RuffRule {
    RuffRule { code, category: Category::Maintainability, severity, blocking: false }
}

const fn fatal(code: &'static str) -> RuffRule {
    RuffRule { code, category: Category::Maintainability, severity: Severity::High, blocking: true }
}

const fn slow(code: &'static str, severity: Severity) -> RuffRule {
    RuffRule { code, category: Category::Performance, severity, blocking: false }
}

use Severity::{High, Low, Medium};

/// The selection, in order of code within each group.
pub const RUFF: &[RuffRule] = &[
    // Code that cannot mean what it says, or cannot run: E9, F63, F7, F82.
    fatal("E902"),
    fatal("F631"),
    fatal("F632"),
    fatal("F633"),
    fatal("F634"),
    fatal("F701"),
    fatal("F702"),
    fatal("F704"),
    fatal("F706"),
    fatal("F707"),
    fatal("F722"),
    fatal("F821"),
    fatal("F822"),
    fatal("F823"),
    // Imports and names.
    lint("E401", Low),
    lint("E402", Low),
    lint("F401", Medium),
    lint("F402", Medium),
    lint("F403", Medium),
    lint("F404", High),
    lint("F405", Low),
    lint("F406", High),
    lint("F407", High),
    lint("F811", Medium),
    lint("F841", Medium),
    lint("F842", Medium),
    lint("F901", High),
    // Statements.
    lint("E701", Low),
    lint("E702", Low),
    lint("E703", Low),
    lint("E711", Low),
    lint("E712", Low),
    lint("E713", Low),
    lint("E714", Low),
    lint("E721", Medium),
    lint("E722", Medium),
    lint("E731", Low),
    lint("E741", Low),
    lint("E742", Low),
    lint("E743", Low),
    // Formatting of strings that fails when it is reached.
    lint("F501", High),
    lint("F502", High),
    lint("F503", High),
    lint("F504", Medium),
    lint("F505", High),
    lint("F506", High),
    lint("F507", High),
    lint("F508", High),
    lint("F509", High),
    lint("F521", High),
    lint("F522", Medium),
    lint("F523", Medium),
    lint("F524", High),
    lint("F525", High),
    lint("F541", Low),
    lint("F601", Medium),
    lint("F602", Medium),
    lint("F621", High),
    lint("F622", High),
    // Likely bugs.
    lint("B002", High),
    lint("B003", Medium),
    lint("B004", Low),
    lint("B005", Medium),
    lint("B006", Medium),
    lint("B008", Low),
    lint("B009", Low),
    lint("B010", Low),
    lint("B011", Low),
    lint("B012", High),
    lint("B013", Low),
    lint("B014", Low),
    lint("B015", Medium),
    lint("B016", High),
    lint("B017", Medium),
    lint("B018", Low),
    lint("B019", Medium),
    lint("B020", Medium),
    lint("B021", Low),
    lint("B022", Medium),
    lint("B023", Medium),
    lint("B025", Medium),
    lint("B026", Low),
    lint("B029", High),
    lint("B030", High),
    lint("B031", Medium),
    lint("B032", Medium),
    lint("B033", Low),
    lint("B034", Low),
    lint("B035", Medium),
    lint("B039", Medium),
    lint("B904", Low),
    lint("PLE0100", High),
    lint("PLE0101", High),
    lint("PLE0115", High),
    lint("PLE0116", High),
    lint("PLE0117", High),
    lint("PLE0118", High),
    lint("PLE0237", High),
    lint("PLE0241", High),
    lint("PLE0302", High),
    lint("PLE0303", High),
    lint("PLE0305", High),
    lint("PLE0307", High),
    lint("PLE0308", High),
    lint("PLE0309", High),
    lint("PLE0604", High),
    lint("PLE0605", Medium),
    lint("PLE0643", High),
    lint("PLE0704", High),
    lint("PLE1132", High),
    lint("PLE1142", High),
    lint("PLE1205", High),
    lint("PLE1206", High),
    lint("PLE1300", High),
    lint("PLE1307", High),
    lint("PLE1310", Medium),
    lint("PLE1507", High),
    lint("PLE1519", High),
    lint("PLE1520", High),
    lint("PLE1700", High),
    lint("PLE2502", High),
    lint("PLE2510", Medium),
    lint("PLE2512", Medium),
    lint("PLE2513", Medium),
    lint("PLE2514", Medium),
    lint("PLE2515", Medium),
    lint("PLW0120", Low),
    lint("PLW0127", Medium),
    lint("PLW0128", Medium),
    lint("PLW0129", Medium),
    lint("PLW0131", Low),
    lint("PLW0133", High),
    lint("PLW0177", High),
    lint("PLW0211", Low),
    lint("PLW0245", High),
    lint("PLW0406", Medium),
    lint("PLW0602", Medium),
    lint("PLW0603", Low),
    lint("PLW0604", Low),
    lint("PLW0711", High),
    lint("PLW1501", High),
    lint("PLW1507", Medium),
    lint("PLW1508", Medium),
    lint("PLW1509", Medium),
    lint("PLW1510", Low),
    lint("PLW2101", High),
    lint("RUF006", High),
    lint("RUF008", High),
    lint("RUF009", Medium),
    lint("RUF016", High),
    lint("RUF018", Medium),
    lint("RUF024", Medium),
    lint("RUF026", High),
    lint("RUF030", Medium),
    lint("RUF032", Medium),
    lint("RUF033", Medium),
    lint("RUF034", Medium),
    lint("RUF040", Medium),
    lint("RUF048", Low),
    lint("RUF049", High),
    lint("RUF060", Low),
    lint("SIM115", Medium),
    lint("SIM201", Low),
    lint("SIM202", Low),
    lint("SIM208", Low),
    lint("SIM220", High),
    lint("SIM221", High),
    lint("SIM222", High),
    lint("SIM223", High),
    lint("TRY201", Low),
    lint("TRY203", Low),
    lint("BLE001", Low),
    lint("DTZ003", Low),
    lint("DTZ004", Low),
    lint("PIE794", High),
    lint("PIE796", High),
    lint("LOG001", Medium),
    lint("LOG007", Low),
    lint("LOG009", Medium),
    lint("LOG014", Medium),
    lint("G010", Low),
    lint("G101", High),
    lint("INT001", Medium),
    lint("INT002", Medium),
    lint("INT003", Medium),
    lint("T100", High),
    lint("C404", Low),
    lint("C406", Low),
    lint("C416", Low),
    // Work done for nothing, and blocking calls where nothing may block.
    slow("C414", Low),
    slow("C419", Low),
    slow("PERF101", Low),
    slow("PERF102", Low),
    slow("PERF401", Low),
    slow("PERF402", Low),
    slow("PERF403", Low),
    slow("RUF015", Low),
    slow("RUF017", Medium),
    slow("ASYNC100", Medium),
    slow("ASYNC105", High),
    slow("ASYNC109", Low),
    slow("ASYNC110", Medium),
    slow("ASYNC115", Low),
    slow("ASYNC116", Low),
    slow("ASYNC210", High),
    slow("ASYNC212", High),
    slow("ASYNC220", High),
    slow("ASYNC221", High),
    slow("ASYNC222", High),
    slow("ASYNC230", High),
    slow("ASYNC240", Medium),
    slow("ASYNC250", High),
    slow("ASYNC251", High),
];

/// The rule with this code, when it is scored.
#[must_use]
pub fn ruff(code: &str) -> Option<&'static RuffRule> {
    RUFF.iter().find(|rule| rule.code == code)
}

/// The argument of ruff's `--select`.
#[must_use]
pub fn ruff_selection() -> String {
    RUFF.iter().map(|rule| rule.code).collect::<Vec<_>>().join(",")
}

/// True when the file's role makes the rule meaningless there: unused imports are an `__init__.py`'s way to re-export.
#[must_use]
pub fn excused(code: &str, path: &str) -> bool {
    matches!(code, "F401" | "F403")
        && (path == "__init__.py" || path.ends_with("/__init__.py") || path.ends_with(".pyi"))
}

/// Pairs (kept, dropped) of rules that say the same thing about the same line.
pub const SAME_THING: &[(&str, &str)] = &[
    ("ruff:F821", "mypy:name-defined"),
    ("ruff:F822", "mypy:attr-defined"),
    ("ruff:F823", "mypy:used-before-def"),
    ("ruff:F811", "mypy:no-redef"),
    ("ruff:E722", "bandit:B110"),
    ("ruff:E722", "bandit:B112"),
    ("tapps:broad-silent-except", "ruff:BLE001"),
    ("tapps:broad-silent-except", "bandit:B110"),
    ("tapps:syntax-error", "mypy:syntax"),
    ("ruff:F632", "mypy:comparison-overlap"),
    ("ruff:F401", "mypy:unused-ignore"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_the_blocking_ones_are_the_promised_families() {
        let mut codes: Vec<_> = RUFF.iter().map(|rule| rule.code).collect();
        codes.sort_unstable();
        let unique = codes.len();
        codes.dedup();
        assert_eq!(codes.len(), unique);
        for rule in RUFF {
            let promised = ["E9", "F63", "F7", "F82"].iter().any(|family| rule.code.starts_with(family));
            assert_eq!(rule.blocking, promised, "{}", rule.code);
        }
    }

    #[test]
    fn re_exports_are_excused_and_ordinary_modules_are_not() {
        assert!(excused("F401", "pkg/__init__.py"));
        assert!(!excused("F401", "pkg/a__init__.py"));
        assert!(!excused("F821", "pkg/__init__.py"));
    }
}
