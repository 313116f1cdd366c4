//! Case by case: what is said, and where nothing may be said.

use std::sync::LazyLock;

use super::support::{check, install, project, told};
use tapps_quality::result::AnalysisMode;

/// A folder with the libraries that most cases use, made once.
static LIBRARIES: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = crate::toolchain_support::folder();
    install(folder.path(), &["requests-wheel", "urllib3", "httpx", "attrs", "click", "rich", "idna"]);
    folder
});

fn said(text: &str) -> Vec<String> {
    told(&check(LIBRARIES.path(), "app.py", text).findings)
}

#[rstest::rstest]
#[case::attribute(
    "import requests\nrequests.gett('x')\n",
    &["unknown-api 2: `requests` of requests 2.32.5 has no `gett`; did you mean `get`?"]
)]
#[case::import_from(
    "from requests.sessions import Sesion\n",
    &["unknown-api 1: `requests.sessions` of requests 2.32.5 has no `Sesion`; did you mean `Session`?"]
)]
#[case::module(
    "import requests.sesions\n",
    &["unknown-module 1: `requests` of requests 2.32.5 has no module `sesions`; did you mean `sessions`?"]
)]
#[case::keyword(
    "import httpx\nhttpx.Client(timeot=5)\n",
    &["unknown-argument 2: `httpx.Client` of httpx 0.28.1 takes no argument `timeot`; did you mean `timeout`?"]
)]
#[case::arity(
    "from requests.utils import to_key_val_list\nto_key_val_list(1, 2)\n",
    &["unknown-argument 2: `requests.utils.to_key_val_list` of requests 2.32.5 takes at most 1 arguments by place, 2 are given"]
)]
#[case::instance_by_assignment(
    "import requests\nsession = requests.Session()\nsession.gett('x')\n",
    &["unknown-api 3: `requests.Session` of requests 2.32.5 has no `gett`; did you mean `get`?"]
)]
#[case::instance_by_with(
    "import requests\nwith requests.Session() as session:\n    session.gett('x')\n",
    &["unknown-api 3: `requests.Session` of requests 2.32.5 has no `gett`; did you mean `get`?"]
)]
#[case::instance_by_annotation(
    "from requests import Session\ndef f(session: Session):\n    session.gett('x')\n",
    &["unknown-api 3: `requests.Session` of requests 2.32.5 has no `gett`; did you mean `get`?"]
)]
#[case::beside_a_getattr_that_knows_its_names(
    "import click\nclick.ecqho('x')\n",
    &["unknown-api 2: `click` of click 8.3.0 has no `ecqho`; did you mean `echo`?"]
)]
#[case::special_name_of_a_module(
    "import requests\nrequests.__versoin__\n",
    &["unknown-api 2: `requests` of requests 2.32.5 has no `__versoin__`; did you mean `__version__`?"]
)]
#[case::class_on_one_of_python(
    "from requests.structures import CaseInsensitiveDict\nCaseInsensitiveDict().setdefalt('x', 1)\n",
    &["unknown-api 2: `requests.structures.CaseInsensitiveDict` of requests 2.32.5 has no `setdefalt`; did you mean `setdefault`?"]
)]
#[case::for_type_checkers_of_a_library_with_types(
    "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from click import Comand\n",
    &["unknown-api 3: `click` of click 8.3.0 has no `Comand`; did you mean `Command`?"]
)]
#[case::a_line_that_overrules_something_else(
    "from requests import gett  # type: ignore[import-untyped]\n",
    &["unknown-api 1: `requests` of requests 2.32.5 has no `gett`; did you mean `get`?"]
)]
#[case::inherited(
    "import click\nclick.Group().add_comand(None)\n",
    &["unknown-api 2: `click.Group` of click 8.3.0 has no `add_comand`; did you mean `add_command`?"]
)]
#[case::what_a_function_gives(
    "import httpx\nhttpx.get('x').jsn()\n",
    &["unknown-api 2: `httpx.get()` of httpx 0.28.1 has no `jsn`; did you mean `json`?"]
)]
#[case::what_a_method_gives_that_is_waited_for(
    "import httpx\nasync def f():\n    async with httpx.AsyncClient() as client:\n        answer = await client.get('x')\n        answer.jsn()\n",
    &["unknown-api 5: `httpx.AsyncClient.get()` of httpx 0.28.1 has no `jsn`; did you mean `json`?"]
)]
#[case::what_a_property_gives(
    "import httpx\nhttpx.get('x').request.heders\n",
    &["unknown-api 2: `httpx.get().request` of httpx 0.28.1 has no `heders`; did you mean `headers`?"]
)]
#[case::constructor_of_a_named_tuple(
    "from rich.segment import Segment\nSegment('x', stile=None)\n",
    &["unknown-argument 2: `rich.segment.Segment` of rich 15.0.0 takes no argument `stile`; did you mean `style`?"]
)]
#[case::constructor_of_a_dataclass(
    "from rich.console import ConsoleOptions\nConsoleOptions(min_widht=1)\n",
    &["unknown-argument 2: `rich.console.ConsoleOptions` of rich 15.0.0 takes no argument `min_widht`; did you mean `min_width`?"]
)]
fn what_is_not_there_is_found(#[case] text: &str, #[case] expected: &[&str]) {
    assert_eq!(said(text), expected);
}

#[rstest::rstest]
#[case::what_is_there("import requests\nrequests.get('x', timeout=1)\nrequests.Session().get('x')\n")]
#[case::inherited_from_a_base(
    "import click\nclick.Group().invoke(None)\nimport httpx\nhttpx.Client().build_request('GET', 'x')\n"
)]
#[case::guarded_import("try:\n    from requests import gett\nexcept ImportError:\n    gett = None\n")]
#[case::guarded_attribute("import requests\ntry:\n    requests.gett()\nexcept AttributeError:\n    pass\n")]
#[case::asked_for("import requests\nif hasattr(requests, 'gett'):\n    requests.gett()\n")]
#[case::version("import requests\nif requests.__version__ < '3':\n    requests.gett()\n")]
#[case::flag("import requests\nOLD = requests.__version__ < '3'\nif OLD:\n    requests.gett()\n")]
#[case::flag_of_elsewhere("import requests\nfrom .them import REQUESTS_V3\nif REQUESTS_V3:\n    requests.gett()\n")]
#[case::expected(
    "import requests, pytest\ndef test():\n    with pytest.raises(AttributeError):\n        requests.gett()\n"
)]
#[case::patched("import requests\nrequests.gett = print\nrequests.gett()\n")]
#[case::named_by_a_text("import requests\nsetattr(requests, 'gett', print)\nrequests.gett()\n")]
#[case::bound_twice("try:\n    import requests\nexcept ImportError:\n    requests = None\nrequests.gett()\n")]
#[case::rebound("import requests\ndef f(requests):\n    requests.gett()\n")]
#[case::narrowed("import requests\ndef f(one: requests.Session):\n    if isinstance(one, dict):\n        one.gett()\n")]
#[case::registered("import click\nimport httpx\nhttpx.BaseTransport.handle_request\n")]
#[case::own_class("import requests\nclass Mine(requests.Session):\n    def gett(self): ...\nMine().gett()\n")]
#[case::spread("import httpx\nhttpx.Client(**{'timeot': 5})\n")]
#[case::any_keyword("import requests\nrequests.get('x', timeot=5)\n")]
#[case::standard_library("import os\nos.gett()\n")]
#[case::not_installed("import nothing_of_this\nnothing_of_this.gett()\n")]
#[case::a_line_that_overrules_type_checkers("import requests\nrequests.gett('x')  # type: ignore[attr-defined]\n")]
#[case::for_type_checkers_of_a_library_without_types(
    "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from requests import _Gett\n"
)]
#[case::type_only("from __future__ import annotations\nimport requests\ndef f(x: requests.Sesion): ...\n")]
#[case::skipped("import requests, pytest\n@pytest.mark.skipif(True, reason='x')\ndef test():\n    requests.gett()\n")]
#[case::other_names_of_python(
    "import requests\nrequests.__path__\nrequests.Session.__mro__\nrequests.Session.__gett__\n"
)]
#[case::answered_by_getattr("import click\nclick.BaseCommand\nclick.__version__\n")]
#[case::handed_down_by_python(
    "from requests.structures import CaseInsensitiveDict\nCaseInsensitiveDict().setdefault('x', 1)\nfrom requests import HTTPError\nHTTPError().errno\n"
)]
#[case::what_functions_give(
    "import httpx\nhttpx.get('x').json()\nhttpx.get('x').request.headers\nhttpx.Client().build_request('GET', 'x').url\n"
)]
#[case::what_something_derived_may_take_or_have(
    "import httpx\nhttpx.get('x').iter_bytes(chunk=1)\nhttpx.get('x').build_request\n"
)]
#[case::what_nobody_waits_for("import httpx\nhttpx.AsyncClient().get('x').jsn()\n")]
#[case::fields(
    "from rich.segment import Segment\nSegment('x', style=None, control=None)\nfrom rich.progress import Task\nTask(id=1, description='x', total=None, completed=0, _get_time=None)\n"
)]
fn where_it_may_be_there_nothing_is_said(#[case] text: &str) {
    assert_eq!(said(text), [""; 0], "{text}");
}

#[test]
fn modules_of_the_project_are_no_libraries() {
    let files = [("requests/__init__.py", "def gett(): ...\n"), ("app.py", "")];
    let project = project(&files, &["requests-wheel"]);
    let text = "import requests\nrequests.gett()\nrequests.more()\n";
    assert_eq!(told(&check(project.root(), "app.py", text).findings), [""; 0]);
}

#[test]
fn what_another_file_or_library_assigns_may_be_there() {
    let files = [("app.py", ""), ("patch.py", "import requests\nrequests.Session.gett = print\n")];
    let project = project(&files, &["requests-wheel"]);
    let text = "import requests\nrequests.Session().gett()\n";
    assert_eq!(told(&check(project.root(), "app.py", text).findings), [""; 0]);
}

#[test]
fn another_version_than_the_locked_one_says_nothing_and_is_not_complete() {
    let text = "import requests\nrequests.gett()\n";
    for (lock, findings, complete) in [("requests==2.32.5\n", 1, true), ("requests==2.31.0\n", 0, false)] {
        let project = project(&[("requirements.txt", lock), ("app.py", text)], &["requests-wheel"]);
        let checked = check(project.root(), "app.py", text);
        let stamp = checked.stamp.unwrap();
        assert_eq!((checked.findings.len(), stamp.complete), (findings, complete), "{lock}");
        assert_eq!((stamp.references, stamp.unknown), if complete { (2, 0) } else { (2, 1) }, "{lock}");
    }
}

#[test]
fn where_all_is_installed_a_module_that_nothing_brings_is_unknown_and_what_is_not_asked_for_is_told() {
    let text = "import requests\nimport urllib3\nimport requets\nimport quite_another\n";
    let files = [("requirements.txt", "requests==2.32.5\n"), ("app.py", text)];
    let project = project(&files, &["requests-wheel", "urllib3"]);
    assert_eq!(
        told(&check(project.root(), "app.py", text).findings),
        [
            "undeclared-dependency 2: `urllib3` is of urllib3, which the project does not ask for",
            "unknown-module 3: `requets` is neither in the project nor in a library that is installed; did you mean `requests`?",
        ]
    );
    // A project that does not say what it asks for may have anything.
    std::fs::remove_file(project.root().join("requirements.txt")).unwrap();
    assert_eq!(told(&check(project.root(), "app.py", text).findings), [""; 0]);
}

#[test]
fn scores_and_gates_hear_of_it() {
    let text = "\"\"\"Asks.\"\"\"\n\nimport requests\n\n\ndef ask() -> object:\n    \"\"\"Asks.\"\"\"\n    return requests.gett(\"x\")\n";
    let project = project(&[("app.py", text)], &["requests-wheel"]);
    for mode in [AnalysisMode::Quick, AnalysisMode::Full] {
        let score = project.try_score("app.py", mode).unwrap();
        let blocking: Vec<&str> = score.blocking.iter().map(|one| one.rule.as_str()).collect();
        assert_eq!(blocking, ["tapps:unknown-api"], "{mode:?}");
        let finding = score.findings.iter().find(|one| one.rule == "tapps:unknown-api").unwrap();
        assert_eq!((finding.line, finding.column), (8, 21));
        assert_eq!(finding.fix.as_ref().unwrap().message, "write `get(url, params=…, **kwargs)` for `gett`");
        let names = score.names.unwrap();
        assert_eq!((names.references, names.unknown, names.complete), (2, 0, false));
    }
    assert!(!project.gate(&["app.py"]).passed);
    // The same without an environment is not known, and never the opposite.
    std::fs::remove_dir_all(project.root().join(".venv")).unwrap();
    let score = project.quick("app.py");
    assert_eq!((score.blocking.len(), score.names), (0, None));
}

#[test]
fn the_same_libraries_elsewhere_have_the_same_digest_and_findings() {
    let text = "import requests\nrequests.gett()\nrequests.Session().put('x')\n";
    let one = project(&[("app.py", text)], &["requests-wheel", "urllib3"]);
    let other = project(&[("app.py", text)], &["requests-wheel", "urllib3", "click"]);
    let (from, to) = (other.root().join(super::support::SITE), other.root().join("venv/lib/python3.14/site-packages"));
    std::fs::create_dir_all(to.parent().unwrap()).unwrap();
    std::fs::rename(from, to).unwrap();
    let (one, other) = (check(one.root(), "app.py", text), check(other.root(), "app.py", text));
    assert_eq!(one.stamp, other.stamp);
    assert_eq!(one.findings, other.findings);
    assert_eq!(one.findings.len(), 1);
}

#[test]
fn of_several_star_imports_any_may_bind_the_name_and_abstract_classes_can_be_registered_with() {
    let folder = crate::toolchain_support::folder();
    let site = folder.path().join(super::support::SITE);
    let write = |path: &str, text: &str| {
        let path = site.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("many-1.0.dist-info/RECORD", "many/__init__.py,,\nmany/a.py,,\nmany/b.py,,\n");
    write("many/__init__.py", "from many.b import *\nfrom many.a import *\n");
    write("many/a.py", "class Context:\n    def first(self): ...\n");
    write(
        "many/b.py",
        "from abc import ABC, ABCMeta\nclass Context:\n    def second(self): ...\nclass Open(ABC): ...\nclass Old(metaclass=ABCMeta): ...\n",
    );
    let text = "import many\nmany.Context().first()\nmany.Context().second()\nmany.Context().third()\nmany.Open.register(int)\n\
                many.Old.register(int)\nmany.Old.resister(int)\n";
    assert_eq!(
        told(&check(folder.path(), "app.py", text).findings),
        [
            "unknown-api 4: `many.Context` of many 1.0 has no `third`",
            "unknown-api 7: `many.Old` of many 1.0 has no `resister`; did you mean `register`?",
        ]
    );
}

#[test]
fn names_of_modules_and_modules_below_them() {
    let folder = crate::toolchain_support::folder();
    let site = folder.path().join(super::support::SITE);
    let files = [
        ("__init__.py", "from many.listed import *\nattribute = 1\n"),
        ("listed.py", "__all__ = ['shown']\nshown = hidden = 1\n"),
        ("quick.py", "made = 1\n"),
        ("quick.cpython-312-x86_64-linux-gnu.so", ""),
        (
            "written.py",
            "__all__ = ['first']\nfirst = 1\nTEXTS = ['second', 'third']\nself = object()\nself.third = 1\n",
        ),
        (
            "setting.py",
            "from many import written\nfor name in ['fourth']:\n    setattr(written, name, 1)\nwritten.fifth = 1\n",
        ),
        ("spread/__init__.py", "__path__ = ['elsewhere']\n"),
    ];
    let record: String = files.iter().map(|(path, _)| format!("many/{path},,\n")).collect();
    for (path, text) in files {
        let path = site.join("many").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    std::fs::create_dir_all(site.join("many-1.0.dist-info")).unwrap();
    std::fs::write(site.join("many-1.0.dist-info/RECORD"), record).unwrap();
    for (text, expected) in [
        ("from many import shown, hidden\n", Some("unknown-api 1: `many` of many 1.0 has no `hidden`")),
        (
            "from many.quick import made, maid\n",
            Some("unknown-api 1: `many.quick` of many 1.0 has no `maid`; did you mean `made`?"),
        ),
        ("from many.written import second\n", Some("unknown-api 1: `many.written` of many 1.0 has no `second`")),
        ("from many.written import third\n", Some("unknown-api 1: `many.written` of many 1.0 has no `third`")),
        ("from many.written import fourth\n", None),
        ("from many.written import fifth\n", None),
        ("import many.attribute\n", Some("unknown-module 1: `many` of many 1.0 has no module `attribute`")),
        ("import many.spread.more\n", None),
    ] {
        let said = told(&check(folder.path(), "app.py", text).findings);
        assert_eq!(said, expected.into_iter().map(str::to_owned).collect::<Vec<_>>(), "{text}");
    }
}

#[test]
fn the_examples_of_the_rules_show_them() {
    let project = project(&[("requirements.txt", "requests==2.32.5\n")], &["requests-wheel", "urllib3"]);
    for rule in tapps_names::rules::RULES {
        let told = |text: &str| -> Vec<String> {
            check(project.root(), "app.py", text).findings.into_iter().map(|one| one.rule).collect()
        };
        assert!(!rule.examples.is_empty(), "{}", rule.code);
        for example in rule.examples {
            assert_eq!(told(example.bad), [rule.name()], "{}", rule.code);
            assert_eq!(told(example.good), [""; 0], "{}", rule.code);
        }
    }
}

#[test]
fn what_is_said_of_a_file_does_not_hang_on_the_files_beside_it() {
    let files = [
        ("a.py", "import requests\nrequests.gett()\n"),
        ("b.py", "import httpx\nhttpx.Client(timeot=1)\n"),
        ("c.py", "import click\nimport requests\nclick.Group().name\nrequests.Session\n"),
    ];
    let project = project(&files, &["requests-wheel", "httpx", "click", "urllib3"]);
    let together = project.scores(&["."], AnalysisMode::Quick).unwrap().files;
    for (path, _) in files {
        let alone = project.quick(path);
        let beside = together.iter().find(|one| one.file == path).unwrap();
        assert_eq!((&alone.names, &alone.findings), (&beside.names, &beside.findings), "{path}");
        assert!(alone.names.is_some(), "{path}");
    }
}

#[test]
fn digests_change_with_what_was_read_and_with_nothing_else() {
    let text = "import requests\nrequests.get\n";
    let project = project(&[("app.py", text)], &["requests-wheel", "click"]);
    let digest = || check(project.root(), "app.py", text).stamp.unwrap().digest;
    let before = digest();
    let append = |path: &str| {
        let path = project.root().join(super::support::SITE).join(path);
        let whole = std::fs::read_to_string(&path).unwrap();
        std::fs::write(path, format!("{whole}\nMORE = 1\n")).unwrap();
    };
    append("click/core.py");
    assert_eq!(digest(), before);
    append("requests/api.py");
    assert_ne!(digest(), before);
}

#[test]
fn verdicts_that_must_be_the_same_everywhere_need_everything_installed() {
    let text = "\"\"\"Asks.\"\"\"\n\nimport requests\n\nANSWER = requests.gett(\"x\")\n";
    for (lock, told) in [("requests==2.32.5\n", true), ("requests==2.32.5\nclick==8.3.0\n", false)] {
        let project = project(&[("app.py", text), ("requirements.txt", lock)], &["requests-wheel"]);
        let request = |require_verified| tapps_quality::requests::GateRequest {
            paths: vec!["app.py".to_owned()],
            require_verified,
            ..Default::default()
        };
        let blocked = |require_verified| {
            let report = project.gate_by(request(require_verified)).unwrap();
            report.files[0].failures.iter().any(|failure| failure.starts_with("tapps:unknown-api"))
        };
        assert_eq!((blocked(false), blocked(true)), (true, told), "{lock}");
    }
}
