use std::time::Duration;

use super::*;
use crate::contracts::forbidden_by_contracts;
use crate::engine::{ScanOptions, scan};
use tapps_base::call::Call;
use tapps_config::ContractSpec;
use tapps_sandbox::Boundary;

const SHOP: &[(&str, &str)] = &[
    ("shop/__init__.py", "from .web import views\n"),
    ("shop/web/__init__.py", ""),
    ("shop/web/views.py", "from shop.domain import cart\nimport requests\n"),
    ("shop/domain/__init__.py", ""),
    ("shop/domain/cart.py", "from shop import util\nfrom shop.util import paths\n"),
    ("shop/domain/old.py", "import os\nfrom shop.web import views\n"),
    ("shop/domain/price.py", "def f():\n    from shop.domain import cart\n"),
    ("shop/util/__init__.py", ""),
    ("shop/util/paths.py", "import sys\n\nimport shop.util.urls\n"),
    ("shop/util/urls.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from shop.web import views\n"),
    ("tests/test_cart.py", "from shop.web import views\nfrom shop.domain import cart\n"),
];

fn graph(files: &[(&str, &str)]) -> ImportGraph {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let options = ScanOptions { fresh: true, ..ScanOptions::default() };
    let boundary = Boundary::open(folder.path()).unwrap();
    let index = scan(&boundary, &options, &Call::quiet(Duration::from_secs(60))).unwrap();
    ImportGraph::from_index(&index, false)
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn spec(kind: ContractKind) -> ContractSpec {
    ContractSpec { kind: Some(kind), ..ContractSpec::default() }
}

fn config(spec: ContractSpec) -> ArchitectureConfig {
    ArchitectureConfig { contracts: [("floors".to_owned(), spec)].into(), ..ArchitectureConfig::default() }
}

/// The breaches, each as its sentence and chain.
fn breaches(files: &[(&str, &str)], spec: ContractSpec) -> Vec<String> {
    let verdict = judge_architecture(&config(spec), &graph(files)).unwrap().require_usable().unwrap();
    assert_eq!(verdict.kept, verdict.breaches.is_empty());
    verdict.breaches.iter().map(|breach| breach.message().replace(" (contract `floors`)", "")).collect()
}

fn fault(files: &[(&str, &str)], spec: ContractSpec) -> (String, String) {
    let error = judge_architecture(&config(spec), &graph(files)).unwrap().require_usable().unwrap_err();
    assert_eq!(error.code(), tapps_base::ErrorCode::ConfigError);
    (error.message().to_owned(), error.body().hint.clone().unwrap_or_default())
}

fn layers(lines: &[&str]) -> ContractSpec {
    ContractSpec {
        layers: lines.iter().map(|&line| line.to_owned()).collect(),
        containers: words("shop"),
        ..spec(ContractKind::Layers)
    }
}

#[test]
fn a_lower_layer_reaches_no_higher_one_not_even_through_others() {
    let says = "`shop.domain` may not import `shop.web`, not even through others";
    assert_eq!(
        breaches(SHOP, layers(&["web", "domain"])),
        [
            format!("{says}: shop/domain/cart.py:2 → shop/util/paths.py:3 → shop/util/urls.py:3 → shop/web/views.py"),
            format!("{says}: shop/domain/old.py:2 → shop/web/views.py"),
        ]
    );
    let runs = ContractSpec { type_imports: Some(false), ..layers(&["web", "domain"]) };
    assert_eq!(breaches(SHOP, runs), [format!("{says}: shop/domain/old.py:2 → shop/web/views.py")]);
    let direct = ContractSpec { indirect: Some(false), ..layers(&["web", "domain"]) };
    assert_eq!(
        breaches(SHOP, direct),
        ["`shop.domain` may not import `shop.web` directly: shop/domain/old.py:2 → shop/web/views.py"]
    );
    // The package that a module is imported from is only passed: `from shop import util` does not ask for `shop` itself.
    let three = breaches(SHOP, layers(&["web", "domain", "util", "(none)"]));
    assert_eq!(
        three,
        [
            format!("{says}: shop/domain/old.py:2 → shop/web/views.py"),
            "`shop.util` may not import `shop.web`, not even through others: shop/util/urls.py:3 → shop/web/views.py"
                .to_owned(),
        ]
    );
}

#[test]
fn layers_side_by_side_are_independent_or_not() {
    let beside = breaches(SHOP, layers(&["web | domain"]));
    assert_eq!(beside.len(), 3, "{beside:?}");
    assert!(beside[2].starts_with("`shop.web` may not import `shop.domain`"), "{beside:?}");
    assert_eq!(breaches(SHOP, layers(&["web : domain"])), [""; 0]);
    let exhaustive = ContractSpec { exhaustive: Some(true), type_imports: Some(false), ..layers(&["web : domain"]) };
    assert_eq!(breaches(SHOP, exhaustive), ["`shop.util` is in no layer"]);
}

#[test]
fn exceptions_take_imports_away_and_are_told_when_they_are_unused() {
    let spec = ContractSpec {
        type_imports: Some(false),
        except: vec![
            "shop.domain.old -> shop.web: goes with the old cart".to_owned(),
            "shop.domain.price -> shop.web: was never there".to_owned(),
        ],
        ..layers(&["web", "domain"])
    };
    let verdict = judge_architecture(&config(spec), &graph(SHOP)).unwrap();
    assert!(verdict.kept && verdict.faults.is_empty());
    assert_eq!(verdict.contracts[0].unused_exceptions, ["shop.domain.price -> shop.web"]);
    assert_eq!(
        verdict.contracts[0].says,
        [
            "`shop.domain` may not import `shop.web`, not even through others",
            "imports that only type checkers see do not count",
            "`shop.domain.old` may import `shop.web` all the same: goes with the old cart",
            "`shop.domain.price` may import `shop.web` all the same: was never there",
        ]
    );
}

#[test]
fn the_other_kinds() {
    let forbidden = ContractSpec {
        from: words("shop.web"),
        to: words("shop.util.paths"),
        packages: words("requests"),
        ..spec(ContractKind::Forbidden)
    };
    assert_eq!(
        breaches(SHOP, forbidden),
        [
            "`shop.web` may not import `shop.util.paths`, not even through others: \
             shop/web/views.py:1 → shop/domain/cart.py:2 → shop/util/paths.py",
            "`shop.web` may not import the package `requests`, not even through others: shop/web/views.py:2 → requests",
        ]
    );
    let independent = ContractSpec { modules: words("shop.domain.*"), ..spec(ContractKind::Independence) };
    assert_eq!(
        breaches(SHOP, independent),
        [
            "`shop.domain.old` may not import `shop.domain.cart`, not even through others: \
             shop/domain/old.py:2 → shop/web/views.py:1 → shop/domain/cart.py",
            "`shop.domain.price` may not import `shop.domain.cart`, not even through others: \
             shop/domain/price.py:2 → shop/domain/cart.py",
        ]
    );
    let protected = ContractSpec {
        modules: words("shop.util.paths shop.util.urls"),
        importers: words("shop.domain"),
        ..spec(ContractKind::Protected)
    };
    assert_eq!(
        breaches(SHOP, protected),
        ["only `shop.domain` may import `shop.util.urls` directly: shop/util/paths.py:3 → shop/util/urls.py"]
    );
    let public = ContractSpec {
        modules: words("shop.domain"),
        interface: words("shop.domain.price"),
        ..spec(ContractKind::Public)
    };
    assert_eq!(
        breaches(SHOP, public),
        ["from outside `shop.domain`, only `shop.domain.price` may be imported directly: \
          shop/web/views.py:1 → shop/domain/cart.py"]
    );
}

#[test]
fn circles_are_found_among_files_and_among_siblings() {
    let files = &[
        ("src/a/one.ts", "import { y } from '../b/two';\nexport const x = y;\n"),
        ("src/a/own.ts", "import { x } from './one';\nexport const z = x;\n"),
        ("src/b/two.ts", "export const y = 1;\n"),
        ("src/b/three.ts", "import { z } from '../a/own';\nexport const w = z;\n"),
        ("src/c/four.ts", "import './five';\n"),
        ("src/c/five.ts", "import './four';\n"),
    ];
    let acyclic = ContractSpec { modules: words("src/**"), ..spec(ContractKind::Acyclic) };
    let found = breaches(files, ContractSpec { modules: words("src/"), ..acyclic.clone() });
    assert_eq!(
        found,
        [
            "no file of `src/` imports itself through others of them: src/c/five.ts:1 → src/c/four.ts:1 → src/c/five.ts",
            "no file of `src/` imports itself through others of them: src/c/four.ts:1 → src/c/five.ts:1 → src/c/four.ts",
        ]
    );
    let says = "in `src/`, and in each package below it, no module imports itself through its siblings";
    let siblings = ContractSpec { modules: words("src/"), siblings: Some(true), ..acyclic };
    assert_eq!(
        breaches(files, siblings),
        [
            format!("{says}: src/a/one.ts:1 → src/b/two.ts; src/b/three.ts:1 → src/a/own.ts"),
            format!("{says}: src/b/three.ts:1 → src/a/own.ts; src/a/one.ts:1 → src/b/two.ts"),
            format!("{says}: src/c/five.ts:1 → src/c/four.ts:1 → src/c/five.ts"),
            format!("{says}: src/c/four.ts:1 → src/c/five.ts:1 → src/c/four.ts"),
        ]
    );
}

#[test]
fn contracts_that_cannot_be_used_name_the_nearest() {
    let (message, hint) = fault(SHOP, layers(&["wep", "domain"]));
    assert_eq!(message, "`architecture.contracts.floors`: `shop.wep` names no file that is looked at");
    assert!(hint.contains("shop.web"), "{hint}");
    let (message, _) = fault(SHOP, layers(&["web", "domain", "web.views"]));
    assert_eq!(message, "`architecture.contracts.floors`: shop/web/views.py is in `shop.web` and in `shop.web.views`");
    let both = ArchitectureConfig {
        contracts: [("one".to_owned(), layers(&["web", "domain"])), ("two".to_owned(), layers(&["domain", "web"]))]
            .into(),
        ..ArchitectureConfig::default()
    };
    let error = judge_architecture(&both, &graph(SHOP)).unwrap().require_usable().unwrap_err();
    assert!(
        error.message().ends_with("the layers `shop.web`, `shop.domain` are above each other in a circle"),
        "{error}"
    );
    assert_eq!(error.body().hint.as_deref(), Some("mend the order in one of one, two"));
}

#[test]
fn an_import_can_be_asked_about_before_it_is_written() {
    let config = config(ContractSpec { type_imports: Some(false), ..layers(&["web", "domain"]) });
    let graph = graph(SHOP);
    let ask = |importer: &str, imported: &str| -> Vec<String> {
        let found = forbidden_by_contracts(&config, &graph, importer, imported).unwrap();
        let shown = |link: &crate::contracts::ImportLink| format!("{}:{}→{}", link.importer, link.line, link.imported);
        found.iter().map(|one| one.chain.iter().map(shown).collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(ask("shop.web.views", "shop.domain.price"), [""; 0]);
    assert_eq!(ask("shop.domain.price", "shop.web.views"), ["shop/domain/price.py:0→shop/web/views.py"]);
    assert_eq!(ask("shop/domain/new.py", "shop.web"), ["shop/domain/new.py:0→shop/web/__init__.py"]);
    assert_eq!(ask("shop.domain.new", "shop.web.later"), ["shop/domain/new:0→shop/web/later"]);
    // It is there already, and is still not allowed.
    assert_eq!(ask("shop/domain/old.py", "shop/web/views.py"), ["shop/domain/old.py:2→shop/web/views.py"]);
    // What is in no layer may be what the others reach.
    assert_eq!(
        ask("shop.util.urls", "shop.web.views"),
        ["shop/domain/cart.py:2→shop/util/paths.py shop/util/paths.py:3→shop/util/urls.py \
          shop/util/urls.py:3→shop/web/views.py"],
        "it is there for type checkers alone"
    );
    assert_eq!(
        ask("shop.util.paths", "shop.web.views"),
        ["shop/domain/cart.py:2→shop/util/paths.py shop/util/paths.py:0→shop/web/views.py"]
    );
    assert_eq!(ask("shop.domain.price", "requests"), [""; 0]);
    let error = forbidden_by_contracts(&config, &graph, "shopp.domain", "shop.web").unwrap_err();
    assert_eq!(error.message(), "`shopp.domain` is nowhere in the project");
}

#[test]
fn rust_and_java_and_go_are_judged_as_far_as_their_imports_lead_to_files() {
    let rust = &[
        ("Cargo.toml", "[workspace]\nmembers = [\"base\", \"web\"]\n"),
        ("base/Cargo.toml", "[package]\nname = \"shop-base\"\n"),
        ("base/src/lib.rs", "mod inner;\npub mod deep;\npub use inner::Thing;\n"),
        ("base/src/inner.rs", "use shop_web::serve;\npub struct Thing;\n"),
        ("base/src/deep.rs", "use crate::Thing;\n"),
        ("web/Cargo.toml", "[package]\nname = \"web\"\n[lib]\nname = \"shop_web\"\npath = \"web.rs\"\n"),
        ("web/web.rs", "use shop_base::deep;\nuse serde::Serialize;\n"),
    ];
    let paths = |lines: &[&str]| ContractSpec {
        layers: lines.iter().map(|&line| line.to_owned()).collect(),
        ..spec(ContractKind::Layers)
    };
    assert_eq!(
        breaches(rust, paths(&["web/", "base/"])),
        ["`base/` may not import `web/`, not even through others: base/src/inner.rs:1 → web/web.rs"]
    );
    // A declaration is no import: `lib.rs` takes a name from `inner` and nothing from `deep`.
    let deep = ContractSpec { modules: words("base/src/"), ..spec(ContractKind::Acyclic) };
    assert_eq!(breaches(rust, deep), [""; 0]);
    let java = &[
        ("src/main/java/shop/web/View.java", "package shop.web;\nimport shop.domain.Cart;\nclass View {}\n"),
        ("src/main/java/shop/domain/Cart.java", "package shop.domain;\nimport shop.web.View;\nclass Cart {}\n"),
    ];
    assert_eq!(
        breaches(java, layers(&["web", "domain"])),
        ["`shop.domain` may not import `shop.web`, not even through others: \
          src/main/java/shop/domain/Cart.java:2 → src/main/java/shop/web/View.java"]
    );
    let go = &[
        ("go.mod", "module example.com/shop\n"),
        ("web/view.go", "package web\nimport \"example.com/shop/domain\"\nvar V = domain.C\n"),
        ("domain/cart.go", "package domain\nvar C = 1\n"),
        ("domain/old.go", "package domain\nimport \"example.com/shop/util\"\n"),
        ("util/util.go", "package util\nimport \"example.com/shop/web\"\n"),
    ];
    assert_eq!(
        breaches(go, paths(&["web", "domain"])),
        ["`domain` may not import `web`, not even through others: domain/old.go:2 → util/util.go:2 → web/view.go"]
    );
}

#[test]
fn what_cannot_be_followed_is_said() {
    let files = &[("src/a.ts", "import { x } from './gone';\nexport const y = x;\n"), ("src/b.ts", "export {};\n")];
    let verdict = judge_architecture(&ArchitectureConfig::default(), &graph(files)).unwrap();
    let told: Vec<(&str, u32, &str)> =
        verdict.unresolved.iter().map(|it| (it.file.as_str(), it.line, it.import.as_str())).collect();
    assert_eq!(told.first(), Some(&("src/a.ts", 1, "./gone")), "{told:?}");
}
