//! Files nobody should score, and what is said about them.

use tapps_base::ErrorCode;
use tapps_base::finding::Category;
use tapps_quality::result::AnalysisMode;
use tapps_toolchain::Provider;

use super::support::{CLEAN, Project, blocking, runtime};
use crate::toolchain_support;

#[test]
fn paths_that_cannot_be_used_have_typed_errors() {
    let project = Project::of(CLEAN);
    project.write("notes.txt", b"hello\n");
    project.write("huge.py", &vec![b'#'; 20 << 20]);
    std::os::unix::fs::symlink("/etc/passwd", project.path("out.py")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", project.path("zero.py")).unwrap();
    for (path, code) in [
        ("shop/missing.py", ErrorCode::FileNotFound),
        ("", ErrorCode::InvalidArgument),
        ("../x.py", ErrorCode::PathDenied),
        ("/etc/passwd", ErrorCode::PathDenied),
        ("out.py", ErrorCode::PathDenied),
        ("zero.py", ErrorCode::PathDenied),
        ("huge.py", ErrorCode::InvalidArgument),
        ("notes.txt", ErrorCode::UnsupportedLanguage),
        ("a\0b.py", ErrorCode::InvalidArgument),
    ] {
        let error = project.try_score(path, AnalysisMode::Quick).unwrap_err();
        assert_eq!(error.code(), code, "{path:?}: {error}");
        assert!(!error.message().is_empty());
    }
    let typo = project.try_score("shop/price.py", AnalysisMode::Quick).unwrap_err();
    assert!(typo.body().hint.as_deref().unwrap().contains("prices.py"), "{:?}", typo.body().hint);
}

#[test]
fn strange_bytes_end_as_findings_or_scores_and_never_hang() {
    let project = Project::of(CLEAN);
    let nested = |open: &str, close: &str| format!("x = {}1{}\n", open.repeat(10_000), close.repeat(10_000));
    let dict: String = std::iter::once("D = {".to_owned())
        .chain((0..70_000).map(|n| format!("{n}: 'v{n}',")))
        .chain(["}\n".to_owned()])
        .collect();
    assert!(dict.len() > 1_000_000);
    let deep_ifs: String = (0..2_000)
        .map(|n| format!("{}if x:\n", " ".repeat(n)))
        .chain([format!("{}pass\n", " ".repeat(2_000))])
        .collect();
    for (file, bytes, rule) in [
        ("shop/binary.py", b"\x7fELF\x00\x01\x02\xff\xfe".to_vec(), Some("tapps:not-utf8")),
        ("shop/latin.py", b"# \xe9t\xe9\nx = 1\n".to_vec(), Some("tapps:not-utf8")),
        ("shop/nul.py", b"x = 1\x00\n".to_vec(), Some("tapps:syntax-error")),
        ("shop/parens.py", nested("(", ")").into_bytes(), Some("tapps:too-deeply-nested")),
        ("shop/lists.py", nested("[", "]").into_bytes(), Some("tapps:too-deeply-nested")),
        ("shop/ifs.py", deep_ifs.into_bytes(), Some("tapps:too-deeply-nested")),
        ("shop/dict.py", dict.into_bytes(), None),
        ("shop/bom.py", b"\xef\xbb\xbfX = 1\r\nY = 2\r\n".to_vec(), None),
        ("shop/crlf.py", b"def f(a: int) -> int:\r\n    return a\r\n".to_vec(), None),
    ] {
        project.write(file, &bytes);
        let score = project.full(file);
        match rule {
            Some(rule) => {
                assert_eq!(blocking(&score).first(), Some(&rule), "{file}: {:?}", score.blocking);
                assert_eq!(score.overall, None, "{file}");
            }
            None => {
                assert!(score.overall.is_some_and(|overall| overall > 80.0), "{file}: {:?}", score.overall);
                assert_eq!(score.not_measured, [], "{file}");
            }
        }
    }
}

#[test]
fn syntax_newer_than_the_target_is_a_syntax_error_that_names_the_version() {
    let mut config = tapps_config::Config::default();
    config.python.version = "3.11".parse().unwrap();
    let project = Project::of(&[("a.py", b"def first[T](items: list[T]) -> T:\n    return items[0]\n")]).with(config);
    let score = project.full("a.py");
    assert_eq!(blocking(&score), ["tapps:syntax-error"]);
    assert!(score.blocking[0].message.contains("3.12"), "{}", score.blocking[0].message);
}

#[test]
fn without_any_tool_what_needs_none_still_answers() {
    let folder = toolchain_support::folder();
    let mut settings = toolchain_support::settings();
    settings.data_dir = folder.path().join("data");
    settings.cache_dir = folder.path().join("cache");
    settings.offline = true;
    let _in = runtime();
    let project = Project::of(CLEAN).with_provider(Provider::new(settings));
    project.write(
        "shop/key.py",
        format!("def f(a: int) -> int:\n    return a\n\n\nKEY = \"AKIA{}\"\n", "Q3ZR7NXW2JKD5MTB").as_bytes(),
    );
    let score = project.full("shop/key.py");
    assert_eq!(score.missing_tools, ["mypy", "ruff"]);
    assert!(score.degraded);
    assert_eq!(blocking(&score).len(), 1);
    for category in [Category::Complexity, Category::Security] {
        assert!(score.categories[&category].measured, "{category:?}");
    }
    for category in [Category::Maintainability, Category::Performance] {
        assert!(!score.categories[&category].measured, "{category:?}");
    }
    let report = project.gate(&["shop/prices.py"]);
    assert!(!report.passed, "nothing unmeasured counts as clean");
    assert!(report.files[0].failures.iter().any(|f| f.contains("not measured")), "{:?}", report.files[0].failures);
}

#[test]
fn a_broken_neighbour_does_not_silence_the_others() {
    let project = Project::of(CLEAN);
    project.write("shop/broken.py", b"def f(:\n");
    project.write("shop/user.py", b"from shop import prices\n\n\ndef f() -> str:\n    return prices.total([1])\n");
    let report = project.scores(&["shop"], AnalysisMode::Full).unwrap();
    let user = report.files.iter().find(|file| file.file == "shop/user.py").unwrap();
    assert_eq!(user.mypy_errors.len(), 1, "{:?}", user.not_measured);
    assert_eq!(user.mypy_errors[0].code, "return-value");
}
