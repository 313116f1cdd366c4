//! Types of scripts: what is said of them, what is unknown, and what a project can do about it.

use tapps_base::finding::Category;
use tapps_quality::requests::GateRequest;
use tapps_quality::result::{AnalysisMode, FileScore};
use tapps_quality::rules::tsgolint;

use super::support::Project;
use crate::toolchain_support::{self, program, set_mode, settings, stderr, stdout, toolchain};

const STRICT: &[u8] = b"{ \"compilerOptions\": { \"strict\": true, \"types\": [] }, \"include\": [\"src\"] }\n";

/// Rule, line and column of what the compiler says.
fn said(score: &FileScore) -> Vec<(&str, u32, u32)> {
    let found = score.findings.iter().filter(|finding| finding.rule.starts_with("tsc:"));
    found.map(|finding| (finding.rule.as_str(), finding.line, finding.column)).collect()
}

fn missing(score: &FileScore) -> Vec<&str> {
    let stamp = score.types.as_ref().unwrap_or_else(|| panic!("{} has no types", score.file));
    assert_eq!(stamp.complete, stamp.missing.is_empty());
    stamp.missing.iter().map(String::as_str).collect()
}

#[test]
fn types_are_checked_across_files_and_cost_maintainability() {
    let project = Project::of(&[
        ("tsconfig.json", STRICT),
        ("src/price.ts", "export class Price { constructor(readonly cents: number) {} }\n".as_bytes()),
        // Columns are counted in characters, of which the compiler takes one for two.
        (
            "src/cart.ts",
            "import { Price } from \"./price\";\n\nexport function total(prices: Price[]): number {\n  const x = \"\u{1f600}\"; return prices[0].cents + x;\n}\n"
                .as_bytes(),
        ),
    ]);
    let score = project.full("src/cart.ts");
    assert_eq!(said(&score), [("tsc:TS2322", 4, 18)]);
    let finding = score.findings.iter().find(|one| one.rule == "tsc:TS2322").unwrap();
    assert_eq!(finding.message, "Type 'string' is not assignable to type 'number'.");
    assert_eq!(finding.category, Category::Maintainability);
    assert!(finding.points > 0.0);
    assert_eq!((missing(&score), score.degraded), (vec![], false));
    assert_eq!(score.tool_versions["tsc"], "7.0.2");
    assert_eq!(said(&project.quick("src/cart.ts")), []);
    let other = project.full("src/price.ts");
    assert_eq!((said(&other), missing(&other)), (vec![], vec![]));
}

#[test]
fn what_is_missing_is_unknown_and_becomes_known_when_it_is_installed() {
    let project = Project::of(&[
        ("tsconfig.json", STRICT),
        (
            "src/user.ts",
            b"import { make } from \"./maker\";\nexport const name: number = make().title;\nlet n: number = \"1\";\n",
        ),
        ("src/maker.ts", b"import { Thing } from \"dep\";\nexport function make(): Thing { return new Thing(); }\n"),
        ("src/alone.ts", b"export const n: number = \"1\";\n"),
    ]);
    let user = project.full("src/user.ts");
    assert_eq!((said(&user), missing(&user)), (vec![], vec!["dep"]));
    assert!(!user.degraded && user.categories[&Category::Maintainability].measured);
    let alone = project.full("src/alone.ts");
    assert_eq!((said(&alone), missing(&alone)), (vec![("tsc:TS2322", 1, 14)], vec![]));
    // Declarations that miss something themselves are no better.
    project.write(
        "node_modules/dep/package.json",
        b"{ \"name\": \"dep\", \"version\": \"1.0.0\", \"types\": \"index.d.ts\" }",
    );
    project.write(
        "node_modules/dep/index.d.ts",
        b"import { Base } from \"base\";\nexport class Thing extends Base { title: string; }\n",
    );
    assert_eq!(missing(&project.full("src/user.ts")), ["base"]);
    project.write(
        "node_modules/base/package.json",
        b"{ \"name\": \"base\", \"version\": \"1.0.0\", \"types\": \"index.d.ts\" }",
    );
    project.write("node_modules/base/index.d.ts", b"export class Base { }\n");
    let user = project.full("src/user.ts");
    assert_eq!((said(&user), missing(&user)), (vec![("tsc:TS2322", 2, 14), ("tsc:TS2322", 3, 5)], vec![]));
    let digest = user.types.unwrap().digest;
    project.write("node_modules/base/index.d.ts", b"export class Base { more: string }\n");
    assert_ne!(project.full("src/user.ts").types.unwrap().digest, digest);
    // A verdict that must be the same everywhere hears nothing of what is installed here.
    let request = GateRequest { paths: vec!["src/user.ts".to_owned()], reproducible: true, ..GateRequest::default() };
    let report = project.gate_by(request).unwrap();
    let told = serde_json::to_value(&report).unwrap().to_string();
    assert!(!told.contains("tsc:TS2322"), "{told}");
}

#[test]
fn plain_javascript_has_types_only_where_it_asks_to_be_checked() {
    let wrong = "/** @type {number} */\nexport const n = \"1\";\n";
    let asking = format!("// @ts-check\n{wrong}");
    let project = Project::of(&[("src/plain.js", wrong.as_bytes()), ("src/asking.js", asking.as_bytes())]);
    let plain = project.full("src/plain.js");
    assert!(plain.types.is_none() && said(&plain).is_empty());
    assert_eq!(said(&project.full("src/asking.js")), [("tsc:TS2322", 3, 14)]);
    project.write("jsconfig.json", b"{ \"compilerOptions\": { \"checkJs\": true, \"types\": [] } }");
    assert_eq!(said(&project.full("src/plain.js")), [("tsc:TS2322", 2, 14)]);
}

/// Rule without the tool, and line, of what the linter says by types.
fn typed_lints(score: &FileScore) -> Vec<(&str, u32)> {
    let rule = |name: &str| tsgolint::RULES.iter().any(|rule| rule.name() == name);
    let found = score.findings.iter().filter(|finding| rule(&finding.rule));
    found.map(|finding| (finding.rule.trim_start_matches("oxlint:typescript/"), finding.line)).collect()
}

#[test]
fn lints_by_types_are_told_where_the_types_are_known() {
    let user = "import { save, names } from \"./store\";\n\
        export async function submit(): Promise<void> {\n  save();\n}\n\
        export function first(): string {\n  delete names[0];\n  save(); return names[0];\n}\n\
        // eslint-disable-next-line typescript/no-floating-promises -- the page is left anyway\n\
        export const left = async () => { save(); };\n\
        export async function kept(): Promise<void> {\n  try {\n    return save();\n  } catch { throw \"gone\"; }\n}\n";
    let project = Project::of(&[
        ("tsconfig.json", STRICT),
        (
            "src/store.ts",
            b"export const names: string[] = [];\nexport async function save(): Promise<void> { await null; }\n",
        ),
        ("src/user.ts", user.as_bytes()),
        ("src/unknown.ts", format!("export {{ gone }} from \"./gone\";\n{user}").as_bytes()),
    ]);
    let score = project.full("src/user.ts");
    let expected = [("no-floating-promises", 3), ("no-array-delete", 6), ("return-await", 13)];
    assert_eq!((typed_lints(&score), missing(&score)), (expected.to_vec(), vec![]));
    let lost = score.findings.iter().find(|one| one.rule.ends_with("no-floating-promises")).unwrap();
    assert_eq!((lost.category, lost.column, lost.points > 0.0), (Category::Maintainability, 3, true));
    assert_eq!(score.tool_versions["tsgolint"], "7.0.2008");
    assert_eq!(score.suppressions.iter().filter(|one| one.line == 9).count(), 1);
    assert_eq!(typed_lints(&project.quick("src/user.ts")), []);
    // Where something is missing a type may be any, and nothing is said.
    let unknown = project.full("src/unknown.ts");
    assert_eq!((typed_lints(&unknown), missing(&unknown)), (vec![], vec!["./gone"]));
    // Files are of the programs that the configurations refer to, with the options of these.
    project.write("tsconfig.json", b"{ \"files\": [], \"references\": [{ \"path\": \"./tsconfig.app.json\" }] }");
    project.write("tsconfig.app.json", STRICT);
    assert_eq!(typed_lints(&project.full("src/user.ts")), expected);
    // What the compiler cannot read in a configuration makes the types unknown, and not the linter fail.
    project.write(
        "tsconfig.app.json",
        b"{ \"compilerOptions\": { \"lib\": [\"es2099\"], \"types\": [] }, \"include\": [\"src\"] }",
    );
    let odd = project.full("src/user.ts");
    assert_eq!((typed_lints(&odd), odd.degraded, missing(&odd).is_empty()), (vec![], false, false));
    // Without any configuration as well.
    let project = Project::of(&[("a.ts", b"export const all = [10, 9];\nall.sort();\n")]);
    assert_eq!(typed_lints(&project.full("a.ts")), [("require-array-sort-compare", 2)]);
}

#[test]
fn a_script_that_imports_its_configuration_sees_that_of_the_project() {
    let project = Project::of(&[
        (
            "tsconfig.json",
            b"{ \"compilerOptions\": { \"strict\": true, \"types\": [], \"baseUrl\": \".\", \"outDir\": \"dist\", \"resolveJsonModule\": true } }",
        ),
        (
            "jest.config.ts",
            b"import { compilerOptions } from \"./tsconfig.json\";\nexport const out: string = compilerOptions.outDir;\n\
              export const wrong: number = compilerOptions.baseUrl;\ndelete [out][0];\n",
        ),
    ]);
    let score = project.full("jest.config.ts");
    assert_eq!((said(&score), missing(&score)), (vec![("tsc:TS2322", 3, 14)], vec![]));
    assert_eq!(typed_lints(&score), [("no-array-delete", 4)]);
}

#[test]
fn configurations_refer_to_others_and_know_which_files_are_theirs() {
    let wrong = b"export function f(a) { return a; }\n";
    let project = Project::of(&[
        ("tsconfig.json", b"{ \"files\": [], \"references\": [{ \"path\": \"./tsconfig.app.json\" }, { \"path\": \"./tsconfig.node.json\" }] }"),
        ("tsconfig.app.json", b"{ \"compilerOptions\": { \"strict\": true, \"types\": [] }, \"include\": [\"src\"] }"),
        ("tsconfig.node.json", b"{ \"compilerOptions\": { \"strict\": false, \"types\": [] }, \"include\": [\"vite.config.ts\"] }"),
        ("src/a.ts", wrong),
        ("vite.config.ts", wrong),
        ("scripts/b.ts", wrong),
        // With a file that does not parse the compiler would say nothing of the others.
        ("src/broken.ts", b"export const = ;\n"),
    ]);
    assert_eq!(said(&project.full("src/a.ts")), [("tsc:TS7006", 1, 19)]);
    let lenient = project.full("vite.config.ts");
    assert_eq!((said(&lenient), missing(&lenient)), (vec![], vec![]));
    assert_eq!(missing(&project.full("scripts/b.ts")), ["a tsconfig.json that includes the file"]);
}

#[test]
fn what_a_project_says_to_the_compiler_runs_nothing_and_reaches_nothing_outside() {
    let elsewhere = toolchain_support::folder();
    let root = elsewhere.path().join("project");
    let put = |path: &str, text: &str| {
        let path = elsewhere.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let ran = elsewhere.path().join("ran");
    let marker = format!("require('node:fs').writeFileSync({:?}, '');\n", ran.display().to_string());
    // Above the project: packages, settings of a package, a configuration, declarations.
    put(
        "node_modules/above/package.json",
        "{ \"name\": \"above\", \"version\": \"1.0.0\", \"types\": \"index.d.ts\" }",
    );
    put("node_modules/above/index.d.ts", "export const above: string;\n");
    put("node_modules/@types/everywhere/index.d.ts", "declare const everywhere: string;\n");
    put("package.json", "{ \"type\": \"module\" }");
    put("tsconfig.json", "{ \"compilerOptions\": { \"strict\": true } }");
    put("outside/declared.d.ts", "declare const outside: string;\n");
    put("project/plugin.js", &marker);
    put("project/node_modules/plugin/index.js", &marker);
    for name in ["tsc", "tsgo", "tsgolint", "oxlint", "node", "npm"] {
        put(&format!("project/node_modules/.bin/{name}"), &format!("#!/bin/sh\ntouch '{}'\n", ran.display()));
        set_mode(&root.join("node_modules/.bin").join(name), 0o755);
    }
    put("project/src/a.ts", "import { above } from \"above\";\nexport const n: number = above;\n");
    put("project/src/b.ts", "export const n: number = outside;\nexport const m = everywhere;\n");
    put("project/src/c.js", "import \"left-pad\";\n");
    let configuration = |extends: &str| {
        format!(
            "{{ {extends} \"compilerOptions\": {{ \"plugins\": [{{ \"name\": \"plugin\" }}, {{ \"name\": \"./plugin.js\" }}], \
             \"incremental\": true, \"composite\": true, \"tsBuildInfoFile\": \"../written.tsbuildinfo\", \"outDir\": \"../out\", \
             \"noEmit\": false, \"declaration\": true, \"typeRoots\": [\"../node_modules/@types\"], \"allowJs\": true, \
             \"paths\": {{ \"above\": [\"../node_modules/above/index.d.ts\"] }} }}, \
             \"include\": [\"src\", \"../outside\", \"/etc\"], \"typeAcquisition\": {{ \"enable\": true }} }}\n"
        )
    };
    put("project/tsconfig.json", &configuration(""));
    std::os::unix::fs::symlink(elsewhere.path().join("outside"), root.join("src/linked")).unwrap();
    let before = listed(elsewhere.path());
    let project = Project::at(&root);
    assert_eq!(missing(&project.full("src/a.ts")), ["above"]);
    // Neither name is declared in the project; the compiler's word for it is that of the native rule.
    let names = project.full("src/b.ts");
    let undefined: Vec<(&str, u32)> =
        names.findings.iter().filter(|one| one.line != 0).map(|one| (one.rule.as_str(), one.line)).collect();
    assert_eq!(undefined, [("tapps:undefined-name", 1), ("tapps:undefined-name", 2)]);
    assert!(missing(&names).is_empty());
    put("project/tsconfig.json", &configuration("\"extends\": \"../tsconfig.json\","));
    assert_eq!(missing(&project.full("src/b.ts")), ["../tsconfig.json"]);
    assert!(!ran.exists(), "nothing of the project is run");
    assert_eq!(listed(elsewhere.path()), before, "nothing is written");
}

/// Every path below a folder, sorted, without what this program keeps there.
fn listed(folder: &std::path::Path) -> Vec<String> {
    let mut found: Vec<String> = ignore::WalkBuilder::new(folder)
        .standard_filters(false)
        .build()
        .map(|entry| entry.unwrap().path().to_string_lossy().into_owned())
        .filter(|path| !path.contains(".tapps-mcp"))
        .collect();
    found.sort();
    found
}

#[test]
fn without_the_compiler_types_are_not_measured_and_everything_else_is() {
    let project = Project::of(&[
        ("a.ts", b"export const n: number = \"1\";\n"),
        ("b.py", b"n: int = 1\n"),
        ("c.js", b"export const n = 1;\n"),
    ]);
    // A tree that was made without it, which nothing is installed into.
    let mut settings = settings();
    settings.toolchain_dir = Some(toolchain().root().to_owned());
    // Nothing that the compiler said before is known there.
    let cache = toolchain_support::folder();
    settings.cache_dir = cache.path().to_owned();
    settings.python = Some(toolchain().interpreter().unwrap().executable.clone());
    let mut command = program(&settings);
    let output = command
        .args(["score", "a.ts", "b.py", "c.js", "--format", "json", "-q"])
        .current_dir(project.root())
        .output()
        .unwrap();
    let report: serde_json::Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", stderr(&output)));
    let [typed, python, plain] = [0, 1, 2].map(|at| &report["files"][at]);
    assert_eq!((&typed["file"], &typed["degraded"]), (&"a.ts".into(), &true.into()));
    let gaps = typed["not_measured"].as_array().unwrap();
    assert_eq!(gaps.len(), 1, "{gaps:?}");
    assert_eq!((&gaps[0]["tool"], &gaps[0]["category"]), (&"tsc".into(), &"maintainability".into()));
    let reason = gaps[0]["reason"].as_str().unwrap();
    assert!(reason.contains("run `tapps-mcp toolchain install`, which fetches it with npm"), "{reason}");
    assert_eq!((&python["degraded"], &plain["degraded"]), (&false.into(), &false.into()), "{}", stdout(&output));
}

#[test]
fn answers_are_kept_until_something_that_the_compiler_reads_changes() {
    let cache = toolchain_support::folder();
    let project = Project::of(&[
        ("tsconfig.json", STRICT),
        ("src/a.ts", b"import { n } from \"./b\";\nexport const s: string = n;\n"),
        ("src/b.ts", b"export const n = 1;\n"),
    ])
    .caching(cache.path());
    let first = project.full("src/a.ts");
    assert_eq!(said(&first), [("tsc:TS2322", 2, 14)]);
    assert_eq!(project.full("src/a.ts").findings, first.findings);
    project.write("src/b.ts", b"export const n = \"1\";\n");
    assert_eq!(said(&project.full("src/a.ts")), []);
    project.write("src/b.ts", b"export const n = 1;\n");
    project.write("tsconfig.json", b"{ \"compilerOptions\": { \"types\": [] }, \"include\": [\"other\"] }");
    let outside = project.try_score("src/a.ts", AnalysisMode::Full).unwrap();
    assert_eq!(missing(&outside), ["a tsconfig.json that includes the file"]);
}
