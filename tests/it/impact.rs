//! What a change reaches: hand-checked files of django, and the tool over MCP.

use std::sync::Arc;

use rstest::rstest;
use serde_json::json;
use tapps_mcp::base::ErrorCode;
use tapps_mcp::guard::Boundary;
use tapps_mcp::project::Index;
use tapps_mcp::project::impact::{ChangeType, Impact, ImpactRequest, Reach};

use crate::corpus;
use crate::mcp_process::Process;
use crate::toolchain_support::{program, settings};

const FILES: &[(&str, &str)] = &[
    ("shop/__init__.py", "from .prices import total\n"),
    ("shop/prices.py", "def total(): return 1\ndef tax(): return 2\ndef _hidden(): return 3\n"),
    ("shop/cart.py", "from shop.prices import tax\n\ndef sum_up(): return tax()\n"),
    ("shop/web.py", "from shop import cart, total\n\nif __name__ == \"__main__\":\n    cart.sum_up()\n"),
    ("shop/lonely.py", "def f(): return 1\n"),
    ("tests/test_cart.py", "from shop.cart import sum_up\n\ndef test_sum_up():\n    assert sum_up() == 2\n"),
    ("tests/test_lonely.py", "from shop import lonely\n\ndef test_f():\n    assert lonely.f() == 1\n"),
];

fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in FILES {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

fn impact(index: &Index, file: &str, symbol: Option<&str>, change: ChangeType) -> tapps_mcp::base::Result<Impact> {
    let request = ImpactRequest { file: file.into(), symbol: symbol.map(str::to_owned), change };
    index.snapshot(&[]).unwrap().impact(&request)
}

fn direct(impact: &Impact) -> Vec<String> {
    impact.direct_dependents.iter().map(|user| format!("{} {}", user.file, user.names.join(","))).collect()
}

#[rstest]
#[case(None, ChangeType::Modified, Reach::Medium, &["shop/__init__.py total", "shop/cart.py tax", "shop/web.py total"])]
#[case(Some("tax"), ChangeType::Modified, Reach::Medium, &["shop/cart.py tax"])]
#[case(Some("tax"), ChangeType::Removed, Reach::Critical, &["shop/cart.py tax"])]
#[case(Some("_hidden"), ChangeType::Removed, Reach::Low, &[])]
fn names_decide_who_is_affected(
    #[case] symbol: Option<&str>,
    #[case] change: ChangeType,
    #[case] severity: Reach,
    #[case] users: &[&str],
) {
    let folder = project();
    let index = Index::new(Arc::new(Boundary::open(folder.path()).unwrap()));
    let impact = impact(&index, "shop/prices.py", symbol, change).unwrap();
    assert_eq!(direct(&impact), users);
    assert_eq!(impact.severity, severity, "{}", impact.reason);
    if symbol != Some("_hidden") {
        assert_eq!(impact.test_files, ["tests/test_cart.py"]);
        assert_eq!(impact.entry_points, ["shop/web.py"]);
        assert!(impact.public_api.iter().any(|name| name.name == "tax" && name.used_by == 1));
    }
    assert!(impact.public_api.iter().all(|name| name.name != "_hidden"));
}

#[test]
fn a_removed_file_is_critical_and_an_unknown_one_is_told_with_the_nearest() {
    let folder = project();
    let index = Index::new(Arc::new(Boundary::open(folder.path()).unwrap()));
    let removed = impact(&index, "shop/prices.py", None, ChangeType::Removed).unwrap();
    assert_eq!((removed.severity, removed.total_affected), (Reach::Critical, 4));
    let lonely = impact(&index, "shop/lonely.py", None, ChangeType::Removed).unwrap();
    assert_eq!((lonely.severity, lonely.test_files.as_slice()), (Reach::Low, &["tests/test_lonely.py".to_owned()][..]));
    let added = impact(&index, "shop/new.py", None, ChangeType::Added).unwrap();
    assert_eq!((added.severity, added.total_affected), (Reach::Low, 0));
    let error = impact(&index, "shop/price.py", None, ChangeType::Modified).unwrap_err();
    assert_eq!(error.code(), ErrorCode::FileNotFound);
    assert!(error.body().hint.as_deref().unwrap().starts_with("did you mean shop/prices.py"), "{error:?}");
    let error = impact(&index, "shop/prices.py", Some("totl"), ChangeType::Modified).unwrap_err();
    assert_eq!((error.code(), error.body().hint.as_deref()), (ErrorCode::InvalidArgument, Some("did you mean total?")));
    let error = impact(&index, "README.md", None, ChangeType::Modified).unwrap_err();
    assert_eq!(error.code(), ErrorCode::UnsupportedLanguage);
}

/// For each file a test that certainly has to run, and a module that certainly uses it, as a person finds them.
#[test]
fn the_right_tests_and_users_are_named_in_django() {
    let index = Index::new(Arc::new(Boundary::open(&corpus::dir("django-source")).unwrap()));
    for (file, test, user) in [
        ("django/utils/slugify.py", None, None),
        ("django/utils/html.py", Some("tests/utils_tests/test_html.py"), Some("django/forms/utils.py")),
        ("django/core/paginator.py", Some("tests/pagination/tests.py"), Some("django/views/generic/list.py")),
        ("django/utils/dateparse.py", Some("tests/utils_tests/test_dateparse.py"), Some("django/forms/fields.py")),
        ("django/core/signing.py", Some("tests/signing/tests.py"), Some("django/http/request.py")),
        (
            "django/utils/termcolors.py",
            Some("tests/utils_tests/test_termcolors.py"),
            Some("django/core/management/color.py"),
        ),
    ] {
        let Some((test, user)) = test.zip(user) else {
            assert_eq!(impact(&index, file, None, ChangeType::Modified).unwrap_err().code(), ErrorCode::FileNotFound);
            continue;
        };
        let impact = impact(&index, file, None, ChangeType::Modified).unwrap();
        assert!(impact.test_files.iter().any(|found| found == test), "{file}: {test} of {}", impact.test_files.len());
        assert!(impact.direct_dependents.iter().any(|found| found.file == user), "{file}: {:?}", direct(&impact));
    }
}

#[test]
fn the_tool_answers_within_the_budget_and_pages() {
    let folder = project();
    let mut command = program(&settings());
    command.env_remove("TAPPS_MCP_PROJECT_ROOT").current_dir(folder.path()).arg("serve");
    let mut server = Process::start(command);
    server.handshake();
    let answer = server.call("tapps_impact_analysis", json!({"file_path": "shop/prices.py", "symbol": "tax"}));
    let reply = &answer["structuredContent"];
    assert_eq!((&reply["severity"], &reply["truncated"]), (&json!("medium"), &json!(false)), "{reply}");
    let outside = server.call("tapps_impact_analysis", json!({"file_path": "../x.py"}));
    assert_eq!(outside["structuredContent"]["error_code"], "path_denied");
    let wrong = server.call("tapps_impact_analysis", json!({"file_path": "a.py", "change_type": "renamed"}));
    assert_eq!(wrong["structuredContent"]["error_code"], "invalid_argument");
    server.end();
}
