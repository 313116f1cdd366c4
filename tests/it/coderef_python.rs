//! Python: elements, edges by proof, and both against tools that everybody trusts.

use std::collections::BTreeMap;

use tapps_coderef::model::{EdgeKind, ElementKind, FileId};
use tapps_rules::python::metrics;

use super::coderef_support::{edges, index, index_of, project};
use super::corpus;

fn calls(files: &[(&str, &str)]) -> Vec<String> {
    let (_folder, boundary) = project(files);
    edges(&index(&boundary), EdgeKind::Call)
}

#[test]
fn elements_of_every_kind() {
    let text = "\
'''Doc of the module.'''
import enum
from typing import overload, Protocol, TypeAlias

LIMIT = 3
Name: TypeAlias = str
type Pair = tuple[int, int]

@overload
def f(a: int) -> int: ...
@overload
def f(a: str) -> str: ...
def f(a):
    \"\"\"First line.

    More.\"\"\"
    if a:
        return a

async def g(a, *, b=1):  # why
    yield a
    def inner(): pass

class Colour(enum.Enum):
    RED = 1

class Shape(Protocol):
    size: int = 0

    def __init__(self): self.x = 1

    @property
    def area(self): return 1
    @area.setter
    def area(self, value): pass

    @staticmethod
    def _hidden(): pass

def f(): pass
";
    let (_folder, boundary) = project(&[("a.py", text)]);
    let index = index(&boundary);
    let shown: Vec<String> = index
        .elements
        .iter()
        .map(|e| {
            format!(
                "{:?} {} {}-{}-{} `{}`",
                e.kind, e.path, e.span.lead_line, e.span.line, e.span.end_line, e.signature
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            "Constant LIMIT 5-5-5 `LIMIT = 3`",
            "Type Name 6-6-6 `Name: TypeAlias = str`",
            "Type Pair 7-7-7 `type Pair = tuple[int, int]`",
            "Function f 9-13-18 `def f(a)`",
            "Function g 20-20-22 `async def g(a, *, b=1)`",
            "Function g.inner 22-22-22 `def inner()`",
            "Enum Colour 24-24-25 `class Colour(enum.Enum)`",
            "Property Colour.RED 25-25-25 `RED = 1`",
            "Interface Shape 27-27-38 `class Shape(Protocol)`",
            "Property Shape.size 28-28-28 `size: int = 0`",
            "Constructor Shape.__init__ 30-30-30 `def __init__(self)`",
            "Accessor Shape.area 32-33-35 `def area(self)`",
            "Method Shape._hidden 37-38-38 `def _hidden()`",
            "Function f~2 40-40-40 `def f()`",
        ]
    );
    let element = |path: &str| index.elements.iter().find(|e| e.path == path).unwrap();
    assert_eq!(element("f").doc.as_deref(), Some("First line."));
    assert!(element("g").modifiers.asynchronous && element("g").modifiers.generator);
    assert!(element("Shape._hidden").modifiers.private && element("Shape._hidden").modifiers.static_);
    assert_eq!(element("f").metrics.unwrap().cyclomatic, 2);
    let bytes = element("Shape.area").span.bytes.clone();
    assert!(text[bytes.start as usize..bytes.end as usize].starts_with("@property"));
}

#[test]
fn names_are_followed_through_scopes_and_imports() {
    let found = calls(&[
        ("pkg/__init__.py", "from .core import make as build\nfrom . import core\n__all__ = ['build', 'core']\n"),
        (
            "pkg/core.py",
            "def make(): return Thing()\nclass Thing:\n    def run(self): pass\ndef shadow(run):\n    run()\n",
        ),
        ("pkg/star.py", "from .core import *\nmake()\n"),
        (
            "use.py",
            "import pkg\nimport pkg.core as c\nfrom pkg import build\nimport os.path, json\ndef f():\n    build()\n    pkg.build()\n    \
             pkg.core.make()\n    c.Thing().run()\n    os.path.join('a')\n    json.dumps(1)\n    print({}.items())\n",
        ),
    ]);
    assert_eq!(
        found,
        [
            "pkg/core.py:make -> pkg/core.py:Thing",
            "pkg/core.py:shadow -> run (unresolved)",
            "pkg/star.py -> pkg/core.py:make",
            "use.py:f -> dict.items (builtin)",
            "use.py:f -> json dumps (external)",
            "use.py:f -> os path.join (external)",
            "use.py:f -> pkg/core.py:Thing",
            "use.py:f -> pkg/core.py:Thing.run",
            "use.py:f -> pkg/core.py:make",
            "use.py:f -> print (builtin)",
        ]
    );
}

#[test]
fn receivers_are_known_by_annotation_construction_and_heritage() {
    let found = calls(&[(
        "a.py",
        "\
from __future__ import annotations
from typing import Optional
import threading

class Base:
    def __init__(self): self.helper = Helper()
    def hook(self): pass
    def run(self):
        self.hook()
        self.helper.work()

class Left(Base):
    def hook(self): super().hook()
class Right(Base):
    def hook(self): pass
class Both(Left, Right):
    def go(self):
        self.hook()
        super().hook()
        self.run()

class Helper:
    def work(self) -> Helper: return self
    @classmethod
    def create(cls): return cls()
    @property
    def other(self) -> Base: ...

class Worker(threading.Thread):
    def go(self): self.start()

def f(a: Optional[Helper], b: 'Both', c, d: Base | Helper):
    a.work().work()
    a.other.run()
    b.go()
    c.work()
    d.run()
    Helper.create().work()
    x = Both()
    x.go()
    if c:
        x = Helper()
    x.run()
    isinstance(c, Base) and c
    if isinstance(c, Base):
        c.run()
",
    )]);
    assert_eq!(
        found,
        [
            "a.py:Base.__init__ -> a.py:Helper",
            "a.py:Base.run -> a.py:Base.hook",
            "a.py:Base.run -> a.py:Helper.work",
            "a.py:Both.go -> a.py:Base.run",
            "a.py:Both.go -> a.py:Left.hook",
            "a.py:Both.go -> super (builtin)",
            "a.py:Helper -> classmethod (builtin)",
            "a.py:Helper -> property (builtin)",
            "a.py:Helper.create -> a.py:Helper",
            "a.py:Left.hook -> a.py:Base.hook",
            "a.py:Left.hook -> super (builtin)",
            "a.py:Worker.go -> threading Thread.start (external)",
            "a.py:f -> a.py:Base.__init__",
            "a.py:f -> a.py:Base.run",
            "a.py:f -> a.py:Base.run (ambiguous)",
            "a.py:f -> a.py:Both.go",
            "a.py:f -> a.py:Helper",
            "a.py:f -> a.py:Helper.create",
            "a.py:f -> a.py:Helper.work",
            "a.py:f -> a.py:Helper.work (ambiguous)",
            "a.py:f -> isinstance (builtin)",
        ]
    );
}

#[test]
fn imports_exports_heritage_and_tests() {
    let (_folder, boundary) = project(&[
        ("src/app/__init__.py", "from .core import run\n"),
        (
            "src/app/core.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .types import T\nfrom .gone import x\nclass E(ValueError): pass\nclass F(E): pass\ndef run(): pass\n",
        ),
        ("src/app/types.pyi", "class T: ...\n"),
        (
            "tests/test_app.py",
            "import importlib\nfrom app import run\ndef test_run():\n    run()\nimportlib.import_module('app.core')\n",
        ),
    ]);
    let index = index(&boundary);
    assert_eq!(
        edges(&index, EdgeKind::Import),
        [
            "src/app/__init__.py -> src/app/core.py",
            "src/app/__init__.py -> src/app/core.py:run",
            "src/app/core.py -> .gone (unresolved)",
            "src/app/core.py -> src/app/types.pyi (type_only)",
            "src/app/core.py -> src/app/types.pyi:T (type_only)",
            "src/app/core.py -> typing TYPE_CHECKING (external)",
            "tests/test_app.py -> importlib * (external)",
            "tests/test_app.py -> src/app/__init__.py",
            "tests/test_app.py -> src/app/core.py (dynamic)",
            "tests/test_app.py -> src/app/core.py:run",
        ]
    );
    assert_eq!(
        edges(&index, EdgeKind::Extends),
        ["src/app/core.py:E -> ValueError (builtin)", "src/app/core.py:F -> src/app/core.py:E"]
    );
    assert_eq!(edges(&index, EdgeKind::Test), ["tests/test_app.py:test_run -> src/app/core.py:run"]);
    let exports = edges(&index, EdgeKind::Export);
    assert!(exports.contains(&"src/app/__init__.py -> src/app/core.py:run".to_owned()), "{exports:?}");
}

/// Cyclomatic complexity is one number, whoever counts it.
#[test]
fn complexity_is_what_the_score_counts() {
    let root = corpus::dir("requests");
    let index = index_of(&root.join("src"));
    let mut compared = 0;
    for (id, file) in index.files.iter().enumerate() {
        let text = std::fs::read_to_string(root.join("src").join(&file.path)).unwrap();
        let found = metrics::measure_radon_metrics(&text).expect("requests parses").complexity;
        let mut expected = BTreeMap::new();
        let mut left: Vec<_> = found.functions.iter().chain(&found.classes).collect();
        while let Some(node) = left.pop() {
            if node.kind == metrics::complexity::NodeKind::Function {
                let line = text[..node.start.to_usize()].matches('\n').count() + 1;
                expected.insert((node.name.clone(), line as u32), node.complexity);
            }
            left.extend(node.functions.iter().chain(&node.classes));
        }
        for element in index.elements.iter().filter(|e| e.file == FileId(id as u32)) {
            if let (Some(metrics), Some(known)) =
                (element.metrics, expected.get(&(element.name.clone(), element.span.line)))
            {
                assert!(metrics.cyclomatic >= *known, "{}", element.path);
                let merged = element.kind == ElementKind::Accessor;
                assert!(merged || metrics.cyclomatic == *known, "{} {}", file.path, element.path);
                compared += 1;
            }
        }
    }
    assert!(compared > 200, "{compared}");
}

/// All relative imports of real packages lead to files, but for those that are made when the package is built.
#[test]
fn relative_imports_resolve() {
    for name in ["requests", "click", "flask", "httpx", "django"] {
        let index = index_of(&corpus::dir(name));
        let missing: Vec<String> = edges(&index, EdgeKind::Import)
            .into_iter()
            .filter(|edge| {
                edge.ends_with("(unresolved)") && edge.split(" -> ").nth(1).is_some_and(|to| to.starts_with('.'))
            })
            .collect();
        assert_eq!(missing, [""; 0], "{name}");
    }
}

#[test]
fn what_a_method_sets_on_its_receiver_is_known_whatever_its_parameters_are_called() {
    let found = calls(&[(
        "a.py",
        "\
class Engine:
    def run(self): pass
class Car:
    def __init__(self, before, after):
        before.engine = after
        self.engine = Engine()
        def later():
            self.spare = Engine()
    def drive(me, a, b):
        me.engine.run()
        me.spare.run()
",
    )]);
    assert_eq!(
        found,
        [
            "a.py:Car.__init__ -> a.py:Engine",
            "a.py:Car.__init__.later -> a.py:Engine",
            "a.py:Car.drive -> a.py:Engine.run",
        ]
    );
}

/// A later binding holds; beyond a bound, that many bindings say nothing, and the scan goes on.
#[test]
fn a_name_bound_again_and_again_means_the_last_or_nothing() {
    let head = "class A:\n    def run(self): pass\nclass B(A):\n    def run(self): pass\nx = A()\n";
    let sure = format!("{head}{}x = B()\nx.run()\n", "x = A()\n".repeat(1_000));
    let unsure = format!("{head}{}x.run()\n", "if x:\n    x = B()\n".repeat(1_000));
    let few = format!("{head}{}x.run()\n", "if x:\n    x = B()\n".repeat(3));
    let in_a_loop = format!("{head}for _ in x:\n    x.run()\n{}", "    if x:\n        x = B()\n".repeat(3));
    let found = |text: &str| calls(&[("a.py", text)]).into_iter().find(|call| call.contains("run")).unwrap();
    assert_eq!(found(&sure), "a.py -> a.py:B.run");
    assert_eq!(found(&few), "a.py -> a.py:A.run | a.py:B.run (ambiguous)");
    assert_eq!(found(&in_a_loop), "a.py -> a.py:A.run | a.py:B.run (ambiguous)");
    assert_eq!(found(&unsure), "a.py -> a.py:A.run | a.py:B.run (ambiguous)", "by their name: nothing else is known");
}

/// What a generator writes is read in full; a search through all names for each of them would take minutes.
#[test]
fn generated_modules_are_read_in_full() {
    const MANY: usize = 40_000;
    let write = |line: &dyn Fn(usize) -> String| (0..MANY).map(line).collect::<String>();
    let constants = format!("{}__all__ = [{}]\n", write(&|n| format!("n{n} = {n}\n")), write(&|n| format!("'n{n}', ")));
    let functions = write(&|n| format!("def f{n}(): return f{}()\n", n / 2));
    let taken = format!("from constants import {}n0 as first\n", write(&|n| format!("n{n}, ")));
    let attributes = format!(
        "class Wide:\n    def __init__(self):\n{}    def last(self):\n        self.a1()\n",
        write(&|n| format!("        self.a{n} = len\n"))
    );
    let (_folder, boundary) = project(&[
        ("constants.py", &constants),
        ("functions.py", &functions),
        ("taken.py", &taken),
        ("attributes.py", &attributes),
    ]);
    let index = index(&boundary);
    let elements = |path: &str| {
        let file = FileId(index.files.iter().position(|file| file.path == path).unwrap().try_into().unwrap());
        index.elements.iter().filter(|element| element.file == file).count()
    };
    let found = (elements("constants.py"), elements("functions.py"), elements("taken.py"));
    assert_eq!(found, (MANY + 1, MANY, 0), "with `__all__` itself");
    let shown = edges(&index, EdgeKind::Call);
    assert_eq!(shown.iter().filter(|call| call.starts_with("functions.py:")).count(), MANY);
    assert!(shown.contains(&format!("functions.py:f{} -> functions.py:f{}", MANY - 1, (MANY - 1) / 2)));
    assert!(shown.contains(&"attributes.py:Wide.last -> len (builtin)".to_owned()));
    let imports = edges(&index, EdgeKind::Import);
    assert_eq!(imports.iter().filter(|import| import.starts_with("taken.py -> constants.py:n")).count(), MANY);
}

#[test]
fn annotations_in_text_that_nest_without_end_are_passed_over() {
    let annotated = |text: &str| format!("def f(x: \"{text}\"): x.run()\n");
    let found = calls(&[
        ("fits.py", "class A:\n    def run(self): pass\ndef f(x: \"A\"): x.run()\n"),
        ("open.py", &annotated(&"[".repeat(50_000))),
        ("minus.py", &annotated(&"-".repeat(50_000))),
        ("short.py", &annotated(&"(".repeat(490))),
    ]);
    assert!(found.contains(&"fits.py:f -> fits.py:A.run".to_owned()), "{found:?}");
    assert_eq!(found.iter().filter(|edge| edge.ends_with("-> fits.py:A.run (ambiguous)")).count(), 3, "{found:?}");
}
