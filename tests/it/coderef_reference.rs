//! References of real elements, and references in real files.

use tapps_coderef::model::ElementId;
use tapps_coderef::reference::resolve::{UnresolvedReason, resolve_reference};
use tapps_coderef::reference::{Reference, parse_reference};
use tapps_coderef::validate::{ValidateOptions, validate_references};

use super::coderef_support::{call, index, index_of, project};
use super::corpus;

/// Every element of a scan has a reference that reads back as itself and leads back to it.
#[test]
fn references_of_a_scan_round_trip() {
    for name in ["requests", "click", "django"] {
        let index = index_of(&corpus::dir(name));
        assert!(index.elements.len() > 100);
        for at in 0..index.elements.len() {
            let id = ElementId(u32::try_from(at).unwrap());
            let reference = Reference::to_element(&index, id).unwrap();
            let text = reference.to_string();
            assert_eq!(parse_reference(&text).unwrap(), reference, "{text}");
            let found =
                resolve_reference(&index, &reference).unwrap_or_else(|wrong| panic!("{text}: {}", wrong.message));
            let element = found.element.map(|found| &index.elements[found.0 as usize]).unwrap();
            assert_eq!(
                (element.path.as_str(), element.span.line),
                (reference.element.as_deref().unwrap(), index.elements[at].span.line),
                "{text}"
            );
        }
    }
}

#[test]
fn references_in_files_are_followed() {
    let (_folder, boundary) = project(&[
        ("src/auth.py", "def login():\n    return 1\n\nclass User:\n    def name(self): pass\n"),
        ("src/twice.py", "x = 1\n"),
        ("src/twice.pyi", "x: int\n"),
        ("[slug]/page.py", "def show(): pass\n"),
        (
            "notes.md",
            "ok @Fn/src/auth#login:2 and @M/src/auth.py#User.name:5, @F/notes.md and @Fn/%5Bslug%5D/page.py#show\n\
             @Fn/src/auth.py#logn:1\n@Fn/src/atuh.py#login\n@V/src/twice#x\n@Fn/src/auth.py#login:4\n@Fx/src/auth.py#login\n",
        ),
    ]);
    let report = validate_references(&boundary, &index(&boundary), &ValidateOptions::default(), &call()).unwrap();
    assert_eq!((report.total, report.valid, report.invalid), (9, 4, 5));
    let found: Vec<(u32, UnresolvedReason, Option<&str>)> =
        report.errors.iter().map(|e| (e.line, e.fault, e.suggestions.first().map(String::as_str))).collect();
    assert_eq!(
        found,
        [
            (2, UnresolvedReason::Element, Some("@Fn/src/auth.py#login:1")),
            (3, UnresolvedReason::Path, Some("@Fn/src/auth.py#login")),
            (4, UnresolvedReason::AmbiguousPath, Some("@V/src/twice.py#x")),
            (5, UnresolvedReason::Line, Some("@Fn/src/auth.py#login:1")),
            (6, UnresolvedReason::Syntax, None),
        ]
    );
    let options = ValidateOptions { patterns: vec!["src/**".to_owned()], syntax_only: true };
    assert_eq!(validate_references(&boundary, &index(&boundary), &options, &call()).unwrap().total, 0);
}
