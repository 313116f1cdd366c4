//! What a test asks of the examples of rules, in every language.

use crate::shape::FileShape;
use tapps_base::rule::Rule;
use tapps_base::source::Source;

/// Each rule has an example in a language; its bad half shows the rule, its good half does not, and both parse. Rules that
/// languages share have examples in others as well.
pub(crate) fn assert_examples_show_rules(
    rules: &[Rule],
    is_of_language: impl Fn(&str) -> bool,
    analyze: impl Fn(&Source) -> FileShape,
) {
    for rule in rules {
        let mut shown = 0;
        for example in rule.examples.iter().filter(|example| is_of_language(example.path)) {
            let says = |text: &str| {
                let shape = analyze(&Source::new(example.path, text.as_bytes()));
                assert_eq!(shape.syntax_errors, [], "{}", rule.code);
                shape.findings.iter().any(|finding| finding.rule == rule.name())
            };
            assert!(says(example.bad), "{}: the bad example is not found", rule.code);
            assert!(!says(example.good), "{}: the good example is found", rule.code);
            shown += 1;
        }
        assert!(shown > 0, "{} has no example", rule.code);
    }
}
