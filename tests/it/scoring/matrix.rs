//! The promise of reproducibility: the same tree gives the same bytes whatever is around it.

use std::path::Path;
use std::process::Command;

use super::languages::{OTHERS, write_others};
use super::support::{CLEAN, Project, canonical};
use crate::systems::{self, System};
use crate::toolchain_support;

const FILE: &str = "import os\nimport re\nimport yaml\n\n\ndef run(command, items=[]):\n    unused = re.compile('x')\n    for item in items:\n        for other in items:\n            print(item, other)\n    return os.system(command)\n\n\ndef typed(a: int) -> str:\n    return a\n";

const SCRIPT: &str = "import { readFile } from \"node:fs\";\n\nexport const table = { a: 1, b: 2, a: 3 };\n\nexport function odd(value: unknown, run: string): boolean {\n  eval(run);\n  return value === NaN || typeof value === \"strnig\";\n}\n";

const TYPED: &str = "interface Price { cents: number; tax?: { rate: number } }\n\nexport function total(prices: Price[]): string {\n  return prices.reduce((sum, price) => sum + price.cents * price.tax.rate, 0);\n}\n";

/// The files that are scored, in their order: after these those of the other languages.
const FIRST: [&str; 4] = ["shop/prices.py", "shop/subject.py", "shop/table.ts", "shop/typed.ts"];

fn files() -> impl DoubleEndedIterator<Item = &'static str> {
    FIRST.into_iter().chain(OTHERS.iter().map(|(path, ..)| *path))
}

/// What the program says about a project, in a changed environment; the result without clock values.
fn score(project: &Project, change: impl FnOnce(&mut Command)) -> String {
    let mut command = toolchain_support::program(&toolchain_support::settings());
    command.arg("score").args(files()).args(["--format", "json", "--quiet"]).current_dir(project.root());
    change(&mut command);
    let output = command.output().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", toolchain_support::stderr(&output));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    canonical(&value)
}

fn subject() -> Project {
    let project = Project::of(CLEAN);
    project.write("shop/subject.py", FILE.as_bytes());
    project.write("shop/table.ts", SCRIPT.as_bytes());
    project.write("shop/typed.ts", TYPED.as_bytes());
    project.write("tsconfig.json", b"{ \"compilerOptions\": { \"strict\": true } }\n");
    write_others(&project);
    project
}

#[test]
fn nothing_around_the_tree_changes_the_result() {
    let project = subject();
    let reference = score(&project, |_| ());
    let value: serde_json::Value = serde_json::from_str(&reference).unwrap();
    let of = |path: &str| value["files"].as_array().unwrap().iter().find(|file| file["file"] == path).unwrap();
    assert!(
        of("shop/subject.py")["findings"].as_array().unwrap().len() >= 6,
        "the subject must have something to say: {reference}"
    );
    let said = of("shop/table.ts")["findings"].as_array().unwrap();
    let rules: Vec<&str> = said.iter().filter_map(|finding| finding["rule"].as_str()).collect();
    for rule in ["oxlint:no-dupe-keys", "oxlint:use-isnan", "oxlint:valid-typeof", "tapps:eval", "tapps:unused-import"]
    {
        assert!(rules.contains(&rule), "{rule}: {rules:?}");
    }
    let typed = of("shop/typed.ts")["findings"].as_array().unwrap();
    let errors: Vec<&str> =
        typed.iter().filter_map(|one| one["rule"].as_str()).filter(|rule| rule.starts_with("tsc:")).collect();
    assert_eq!(errors, ["tsc:TS2322", "tsc:TS18048"], "{typed:?}");
    assert_eq!(of("shop/typed.ts")["types"]["complete"], true);
    for (path, _, rule) in OTHERS {
        assert!(of(path)["findings"].as_array().unwrap().iter().any(|one| one["rule"] == rule), "{path}: {rule}");
    }

    // Another checkout, at a path of another length and depth.
    let elsewhere = toolchain_support::folder();
    let copy = elsewhere.path().join("another place/with spaces/tests/build/x");
    std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
    toolchain_support::copy_tree(project.root(), &copy);
    assert_eq!(score(&Project::at(&copy), |_| ()), reference, "path");

    // A home full of configuration, and configuration above the project.
    let home = elsewhere.path().join("home");
    let write = |path: &Path, text: &str| {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write(&home.join(".config/ruff/ruff.toml"), "lint.select = [\"ALL\"]\n");
    write(&home.join(".config/mypy/config"), "[mypy]\nignore_errors = True\n");
    write(&home.join(".mypy.ini"), "[mypy]\nignore_errors = True\n");
    write(&home.join(".bandit"), "[bandit]\nskips: B605\n");
    write(&home.join(".radon.cfg"), "[radon]\nexclude = *\n");
    write(&elsewhere.path().join("another place/ruff.toml"), "lint.select = [\"ALL\"]\n");
    write(&elsewhere.path().join("another place/mypy.ini"), "[mypy]\nignore_errors = True\n");
    write(&elsewhere.path().join("another place/.bandit"), "[bandit]\nskips: B605\n");
    write(&elsewhere.path().join("another place/.oxlintrc.json"), "{\"rules\":{\"no-dupe-keys\":\"off\"}}");
    write(&elsewhere.path().join("another place/tsconfig.json"), "{\"compilerOptions\":{\"strict\":false}}");
    write(&elsewhere.path().join("another place/package.json"), "{\"type\":\"module\"}");
    write(
        &elsewhere.path().join("another place/node_modules/@types/more/index.d.ts"),
        "interface Price { tax: { rate: number } }\n",
    );
    write(&home.join("node_modules/@types/more/index.d.ts"), "interface Price { tax: { rate: number } }\n");
    write(&home.join(".shellcheckrc"), "disable=all\n");
    write(&home.join(".config/shellcheckrc"), "disable=all\n");
    write(&elsewhere.path().join("another place/.shellcheckrc"), "disable=all\n");
    write(&elsewhere.path().join("another place/.clang-tidy"), "Checks: '-*'\n");
    write(&elsewhere.path().join("another place/clippy.toml"), "msrv = \"1.0\"\n");
    write(&home.join(".oxlintrc.json"), "{\"rules\":{\"no-dupe-keys\":\"off\"}}");
    let settings = toolchain_support::settings();
    let with_home = score(&Project::at(&copy), |command| {
        command.env("HOME", &home).env("XDG_CONFIG_HOME", home.join(".config"));
        command.env("TAPPS_MCP_DATA_DIR", &settings.data_dir).env("TAPPS_MCP_CACHE_DIR", &settings.cache_dir);
    });
    assert_eq!(with_home, reference, "HOME and configuration above");

    for (name, value) in [
        ("LC_ALL", "tr_TR.UTF-8"),
        ("LANG", "C"),
        ("TZ", "Pacific/Kiritimati"),
        ("PYTHONPATH", "/nonexistent"),
        ("PYTHONHASHSEED", "4711"),
        ("PYTHONOPTIMIZE", "2"),
        ("MYPYPATH", "/nonexistent"),
        ("MYPY_FORCE_COLOR", "1"),
        ("RUFF_NO_CACHE", "garbage"),
        ("COLUMNS", "40"),
        ("RAYON_NUM_THREADS", "1"),
        ("TOKIO_WORKER_THREADS", "1"),
        ("NO_COLOR", "1"),
        ("NODE_OPTIONS", "--require /nonexistent.js"),
        ("NODE_PATH", "/nonexistent"),
        ("TSC_NONPOLLING_WATCHER", "1"),
        ("SHELLCHECK_OPTS", "--exclude=SC2086"),
        ("GHCRTS", "-M1m"),
        ("CPATH", "/nonexistent"),
        ("CLASSPATH", "/nonexistent"),
        ("RUSTFLAGS", "--cap-lints allow"),
        ("GOFLAGS", "-tags=other"),
        ("GOMAXPROCS", "1"),
        ("GODEBUG", "gctrace=1"),
        ("OXLINT_TSGOLINT_PATH", "/nonexistent"),
        ("RUST_BACKTRACE", "full"),
        ("GIT_DIR", "/nonexistent"),
    ] {
        let changed = score(&project, |command| {
            command.env(name, value);
        });
        assert_eq!(changed, reference, "{name}={value}");
    }
}

#[test]
fn order_umask_cores_and_cold_caches_change_nothing() {
    let project = subject();
    let reference = score(&project, |_| ());
    let settings = toolchain_support::settings();

    // A cold type cache, then a warm one.
    let cold = toolchain_support::folder();
    for round in ["cold", "warm"] {
        let result = score(&project, |command| {
            command.env("TAPPS_MCP_CACHE_DIR", cold.path()).env("TAPPS_MCP_DATA_DIR", &settings.data_dir);
        });
        assert_eq!(result, reference, "{round} cache");
    }

    // The files named in the other order.
    let mut command = toolchain_support::program(&settings);
    command.arg("score").args(files().rev()).args(["--format", "json", "-q"]).current_dir(project.root());
    let output = command.output().unwrap();
    assert_eq!(canonical(&serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()), reference, "order");

    // Another umask and, in the systems tier, a single core.
    let program = toolchain_support::program(&settings);
    let inner = format!(
        "umask 077; exec \"$0\" score {} --format json -q --project-root {}",
        files().collect::<Vec<_>>().join(" "),
        project.root().display()
    );
    let mut shell = systems::require(System::Taskset).map_or_else(
        || Command::new("sh"),
        |taskset| {
            let mut bound = Command::new(taskset);
            bound.args(["-c", "0", "sh"]);
            bound
        },
    );
    shell.arg("-c").arg(inner).arg(program.get_program()).current_dir(project.root());
    toolchain_support::inherit(&mut shell, &program);
    let output = shell.output().unwrap();
    let value: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", toolchain_support::stderr(&output)));
    assert_eq!(canonical(&value), reference, "umask and cores");
}

/// mypy knows less of a function that it found in its cache than of one whose file it read.
#[test]
fn what_mypy_says_of_types_is_the_same_from_its_cache() {
    const TEXT: &str =
        "import hashlib\n\n\nclass Hasher:\n    digest = hashlib.sha256\n\n\nclass Plain(Hasher):\n    digest = None\n";
    let (project, settings) = (Project::of(CLEAN), toolchain_support::settings());
    let said = |cache: &Path, text: &str| {
        project.write("hasher.py", text.as_bytes());
        let mut command = toolchain_support::program(&settings);
        command.env("TAPPS_MCP_CACHE_DIR", cache).env("TAPPS_MCP_DATA_DIR", &settings.data_dir);
        command.args(["score", "hasher.py", "--format", "json", "-q"]);
        let output = command.current_dir(project.root()).output().unwrap();
        canonical(&serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap())
    };
    let (one, other) = (toolchain_support::folder(), toolchain_support::folder());
    let cold = said(one.path(), TEXT);
    said(other.path(), &format!("{TEXT}# before\n"));
    let warm = said(other.path(), TEXT);
    assert_eq!(cold, warm);
    assert!(cold.contains("def openssl_sha256(*, usedforsecurity"), "{cold}");
}

/// What a project may hold for the linter of scripts: its configurations, lists of files to pass over, and programs.
#[test]
fn what_a_project_says_to_the_linter_of_scripts_is_not_heard() {
    let project = subject();
    let findings = |project: &Project| {
        let value: serde_json::Value = serde_json::from_str(&score(project, |_| ())).unwrap();
        let file = value["files"].as_array().unwrap().iter().find(|file| file["file"] == "shop/table.ts").unwrap();
        let found = file["findings"].as_array().unwrap().clone();
        // What is said of the project as a whole may change: a configuration of a linter is one.
        found.into_iter().filter(|finding| finding["line"] != 0).collect::<Vec<_>>()
    };
    let reference = findings(&project);
    assert!(reference.len() >= 5);
    let ran = project.path("ran");
    let marker = format!("require('node:fs').writeFileSync({:?}, '');\n", ran.display().to_string());
    let off = "{\"rules\":{\"no-dupe-keys\":\"off\",\"use-isnan\":\"off\"},\"ignorePatterns\":[\"**\"],\"jsPlugins\":[\"./plugin.js\"]}";
    for (path, text) in [
        (".oxlintrc.json", off),
        ("shop/.oxlintrc.json", off),
        ("shop/oxlint.json", off),
        ("oxlint.config.ts", "export default { ignorePatterns: ['**'] };\n"),
        (".eslintignore", "**\n"),
        (".oxlintignore", "**\n"),
        ("shop/.gitignore", "*.ts\n"),
        ("plugin.js", &marker),
        ("eslint.config.js", &marker),
    ] {
        project.write(path, text.as_bytes());
        assert_eq!(findings(&project), reference, "{path}");
    }
    for name in ["oxlint", "tsgolint", "node"] {
        let program = format!("node_modules/.bin/{name}");
        project.write(&program, format!("#!/bin/sh\ntouch '{}'\n", ran.display()).as_bytes());
        toolchain_support::set_mode(&project.path(&program), 0o755);
    }
    assert_eq!(findings(&project), reference, "programs of the project");
    assert!(!ran.exists(), "nothing of the project is run");
}
