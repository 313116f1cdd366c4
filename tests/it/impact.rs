//! What a change reaches: hand-checked files of django, and the tool over MCP.

use std::sync::Arc;
use std::time::Duration;

use rstest::rstest;
use serde_json::json;
use tapps_base::ErrorCode;
use tapps_base::call::Call;
use tapps_project::ProjectIndex;
use tapps_project::impact::{ChangeType, Impact, ImpactRequest, Reach};
use tapps_sandbox::Boundary;

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
    written(FILES)
}

fn written(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

fn impact(index: &ProjectIndex, file: &str, symbol: Option<&str>, change: ChangeType) -> tapps_base::Result<Impact> {
    let request = ImpactRequest { file: file.into(), symbol: symbol.map(str::to_owned), change };
    index.analyze_impact(&request, &Call::quiet(Duration::from_secs(600)))
}

fn open(folder: &tempfile::TempDir) -> ProjectIndex {
    ProjectIndex::new(Arc::new(Boundary::open(folder.path()).unwrap()))
}

fn callers(impact: &Impact) -> Vec<String> {
    let shown = |caller: &tapps_project::impact::Caller| {
        let doubt = if caller.proven { "" } else { "?" };
        format!("{} {}:{:?} {}{doubt}", caller.distance, caller.file, caller.lines, caller.name)
    };
    impact.callers.iter().map(shown).collect()
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
    let index = ProjectIndex::new(Arc::new(Boundary::open(folder.path()).unwrap()));
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
    let index = ProjectIndex::new(Arc::new(Boundary::open(folder.path()).unwrap()));
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

/// A helper of `escape` is not exported, a method is called on what a factory gives, a table names a function without
/// calling it.
const LIBRARY: &[(&str, &str)] = &[
    ("pkg/__init__.py", "from .text import escape\n"),
    (
        "pkg/text.py",
        "def _clean(value): return value\ndef escape(value): return _clean(value)\ndef upper(value): return value\n\
         class Writer:\n    def put(self, value): return escape(value)\n    def flush(self): pass\n",
    ),
    ("pkg/make.py", "from .text import Writer\n\ndef make() -> Writer: return Writer()\n"),
    ("app/page.py", "from pkg import escape\n\ndef page(x):\n    return escape(x)\n"),
    ("app/table.py", "from pkg.text import upper\n\nACTIONS = {'u': upper}\n"),
    ("app/log.py", "from pkg.make import make\n\ndef log(x):\n    make().put(x)\n"),
    (
        "tests/conftest.py",
        "import pytest\nfrom app.table import ACTIONS\n\n@pytest.fixture\ndef actions(): return ACTIONS\n",
    ),
    ("tests/test_page.py", "from app.page import page\n\ndef test_page(): assert page(1)\n"),
    ("tests/test_log.py", "from app.log import log\n\ndef test_log(): assert log(1) is None\n"),
    ("tests/test_table.py", "def test_table(actions): assert actions\n"),
    ("tests/helper.py", "from app.log import log\n\ndef help(): log(1)\n"),
];

#[rstest]
#[case::a_helper_is_followed_within_its_file(
    "_clean",
    &[],
    &["1 pkg/text.py:[2] escape", "2 app/page.py:[4] page", "2 pkg/text.py:[5] Writer.put", "3 app/log.py:[4] log"],
    &["tests/test_log.py", "tests/test_page.py"],
    2
)]
#[case::a_function(
    "escape",
    &["app/page.py escape", "pkg/__init__.py escape"],
    &["1 app/page.py:[4] page", "1 pkg/text.py:[5] Writer.put", "2 app/log.py:[4] log"],
    &["tests/test_page.py", "tests/test_log.py"],
    2
)]
#[case::a_method_on_what_a_call_gives(
    "Writer.put",
    &["app/log.py Writer", "pkg/make.py Writer"],
    &["1 app/log.py:[4] log"],
    &["tests/test_log.py"],
    1
)]
#[case::a_value_is_no_call_and_fixtures_serve_every_test_below(
    "upper",
    &["app/table.py upper"],
    &[],
    &["tests/test_log.py", "tests/test_page.py", "tests/test_table.py"],
    0
)]
fn a_symbol_has_its_own_callers_and_tests(
    #[case] symbol: &str,
    #[case] users: &[&str],
    #[case] called_by: &[&str],
    #[case] tests: &[&str],
    #[case] proven: usize,
) {
    let folder = written(LIBRARY);
    let impact = impact(&open(&folder), "pkg/text.py", Some(symbol), ChangeType::Modified).unwrap();
    assert_eq!(direct(&impact), users);
    assert_eq!(callers(&impact), called_by);
    assert_eq!(impact.callers_total, called_by.len());
    assert_eq!(impact.test_files, tests, "helpers are no tests");
    assert_eq!(impact.tests_proven, proven);
    assert_eq!((impact.basis.graph.as_str(), impact.basis.files), ("coderef", LIBRARY.len()));
}

#[test]
fn scripts_types_and_what_hands_names_on() {
    let folder = written(&[
        (
            "src/api.ts",
            "export interface Options { deep: boolean }\nexport function run(o: Options) { return o.deep; }\n",
        ),
        ("src/index.ts", "export { run } from './api.js';\nexport type { Options } from './api.js';\n"),
        ("src/cli.ts", "import { run } from './index.js';\nexport const main = () => run({ deep: true });\n"),
        ("src/shape.ts", "import type { Options } from './api.js';\nexport const shape = (o: Options) => o;\n"),
        ("src/far.ts", "import { shape } from './shape.js';\nexport const far = shape;\n"),
        ("test/cli.ts", "import { main } from '../src/cli.js';\nit('runs', () => { expect(main()).toBe(true); });\n"),
        ("broken.ts", "export function {\n"),
    ]);
    let index = open(&folder);
    let types = impact(&index, "src/api.ts", Some("Options"), ChangeType::Removed).unwrap();
    assert_eq!(direct(&types), ["src/index.ts Options", "src/shape.ts Options"]);
    assert_eq!((types.severity, types.total_affected), (Reach::Critical, 2), "{:?}", types.transitive_dependents);
    assert_eq!(types.basis.unread, ["broken.ts"]);
    let run = impact(&index, "src/api.ts", Some("run"), ChangeType::Modified).unwrap();
    assert_eq!(direct(&run), ["src/cli.ts run", "src/index.ts run"]);
    assert_eq!((run.test_files.as_slice(), run.tests_proven), (&["test/cli.ts".to_owned()][..], 1));
    let barrel = impact(&index, "src/index.ts", None, ChangeType::Modified).unwrap();
    assert_eq!(direct(&barrel), ["src/cli.ts run"], "they break when it no longer hands the name on");
    let broken = impact(&index, "broken.ts", None, ChangeType::Modified).unwrap();
    assert!(broken.limits.iter().any(|limit| limit.contains("error in line 1")), "{:?}", broken.limits);
}

#[test]
fn files_that_import_a_module_as_a_whole_only_may_use_a_symbol_of_it() {
    let mut files =
        vec![("pkg/__init__.py".to_owned(), ""), ("pkg/util.py".to_owned(), "def a(): pass\ndef b(): pass\n")];
    files.extend((0..12).map(|at| (format!("whole{at:02}.py"), "from pkg import util\nutil.b()\n")));
    files.push(("named.py".to_owned(), "from pkg.util import a, b\na()\n"));
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let folder = written(&files);
    let index = open(&folder);
    let of = |symbol| impact(&index, "pkg/util.py", symbol, ChangeType::Modified).unwrap();
    let a = of(Some("a"));
    assert_eq!(a.severity, Reach::Medium);
    let said = "1 file import it, by one public name; 12 more import the whole module and may use it";
    assert_eq!(a.reason, said);
    assert_eq!(direct(&a).first().map(String::as_str), Some("named.py a"), "what else it takes is not told");
    let b = of(Some("b"));
    assert_eq!((b.severity, b.reason.as_str()), (Reach::Critical, "13 files import it, by one public name"));
    assert_eq!(of(None).severity, Reach::Critical);
}

/// For each file a test that certainly has to run, and a module that certainly uses it, as a person finds them.
#[test]
fn the_right_tests_and_users_are_named_in_django() {
    let index = ProjectIndex::new(Arc::new(Boundary::open(&corpus::dir("django-source")).unwrap()));
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
    let many: Vec<String> = (0..200).map(|at| format!("user_{at:03}_of_a_long_name.py")).collect();
    for name in &many {
        std::fs::write(folder.path().join(name), "from shop.prices import tax\n").unwrap();
    }
    let brief = server.call("tapps_impact_analysis", json!({"file_path": "shop/prices.py", "symbol": "tax"}));
    assert_eq!(brief["structuredContent"]["truncated"], true);
    let full = json!({"file_path": "shop/prices.py", "symbol": "tax", "detail": "full"});
    let full = server.call("tapps_impact_analysis", full);
    assert_eq!(full["structuredContent"]["direct_dependents"].as_array().unwrap().len(), many.len() + 1);
    let outside = server.call("tapps_impact_analysis", json!({"file_path": "../x.py"}));
    assert_eq!(outside["structuredContent"]["error_code"], "path_denied");
    let wrong = server.call("tapps_impact_analysis", json!({"file_path": "a.py", "change_type": "renamed"}));
    assert_eq!(wrong["structuredContent"]["error_code"], "invalid_argument");
    server.end();
}
