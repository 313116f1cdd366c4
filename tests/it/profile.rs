//! Profiles, import graphs and dead code of written and of real projects.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tapps_base::call::Call;
use tapps_config::Config;
use tapps_project::profile::{ProfileEvidence, ProjectProfile, build_project_profile};
use tapps_project::reach::ImportTiming;
use tapps_project::{ProjectIndex, coupling, dead_code};
use tapps_sandbox::Boundary;

use crate::corpus;
use crate::systems::{self, System};

fn of(root: &Path) -> ProjectProfile {
    build_project_profile(&Arc::new(Boundary::open(root).unwrap()), &Config::default()).unwrap()
}

fn written(files: &[(&str, &str)]) -> (tempfile::TempDir, Arc<Boundary>) {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let full = dir.path().join(path);
        std::fs::create_dir_all(full.parent().unwrap()).unwrap();
        std::fs::write(full, text).unwrap();
    }
    let boundary = Arc::new(Boundary::open(dir.path()).unwrap());
    (dir, boundary)
}

fn profiled(files: &[(&str, &str)]) -> ProjectProfile {
    let (_dir, boundary) = written(files);
    build_project_profile(&boundary, &Config::default()).unwrap()
}

fn shown(list: &[ProfileEvidence]) -> Vec<String> {
    let version =
        |one: &ProfileEvidence| one.version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
    list.iter().map(|one| format!("{}{} < {}", one.name, version(one), one.evidence)).collect()
}

fn languages(profile: &ProjectProfile) -> Vec<&str> {
    profile.languages.iter().map(|language| language.name.as_str()).collect()
}

#[test]
fn a_python_service() {
    let found = profiled(&[
        (
            "pyproject.toml",
            "[project]\nname = 'shop'\ndependencies = ['FastAPI>=0.100', 'PyJWT', 'httpx']\n[project.scripts]\nshop = 'shop.main:run'\n[dependency-groups]\ndev = ['pytest>=8']\n[tool.ruff]\n[tool.mypy]\n",
        ),
        (
            "uv.lock",
            "[[package]]\nname = 'fastapi'\nversion = '0.121.0'\n[[package]]\nname = 'pyjwt'\nversion = '2.9.0'\n[[package]]\nname = 'pytest'\nversion = '9.0.1'\n",
        ),
        ("shop/main.py", "def run():\n    pass\n"),
        ("Dockerfile", "FROM python:3.13\n"),
        (".github/workflows/ci.yml", "on: push\n"),
    ]);
    assert_eq!(languages(&found), ["python"]);
    assert_eq!(shown(&found.frameworks), ["fastapi 0.121.0 < pyproject.toml"]);
    assert_eq!(shown(&found.test_frameworks), ["pytest 9.0.1 < pyproject.toml"]);
    assert_eq!((found.test_framework.as_deref(), found.package_manager.as_deref()), (Some("pytest"), Some("uv")));
    assert_eq!(shown(&found.ci), ["github-actions < .github/workflows/ci.yml"]);
    assert_eq!(
        (found.deployment_type.value.as_str(), &found.deployment_type.evidence[..]),
        ("container", &["Dockerfile".to_owned()][..])
    );
    assert_eq!(
        (found.security_level.value.as_str(), &found.security_level.evidence[..]),
        ("high", &["pyjwt (pyproject.toml)".to_owned()][..])
    );
    assert_eq!(shown(&found.entry_points), ["shop = shop.main:run < pyproject.toml"]);
    let versions: Vec<(&str, Option<&str>)> =
        found.libraries.iter().map(|library| (library.name.as_str(), library.version.as_deref())).collect();
    assert_eq!(
        versions,
        [("FastAPI", Some("0.121.0")), ("PyJWT", Some("2.9.0")), ("httpx", None), ("pytest", Some("9.0.1"))]
    );
    assert_eq!(shown(&found.quality_config.tools), ["mypy < pyproject.toml", "ruff < pyproject.toml"]);
    assert!((found.quality_config.min_score - 70.0).abs() < 1e-9);
}

#[test]
fn a_monorepo_of_scripts() {
    let found = profiled(&[
        ("package.json", "{\"private\": true, \"devDependencies\": {\"vitest\": \"^3\"}}"),
        ("pnpm-workspace.yaml", "packages:\n  - 'packages/*'\n  - '!packages/old'\n"),
        (
            "pnpm-lock.yaml",
            "importers:\n  .:\n    devDependencies:\n      vitest: {specifier: ^3, version: 3.2.4}\n  packages/app:\n    dependencies:\n      next: {specifier: '15', version: 15.1.0(react@19.0.0)}\npackages:\n  vitest@3.2.4: {}\n  next@15.1.0: {}\n",
        ),
        (
            "packages/app/package.json",
            "{\"name\": \"app\", \"dependencies\": {\"next\": \"15\"}, \"scripts\": {\"dev\": \"next dev\"}}",
        ),
        ("packages/app/src/index.tsx", "export const A = 1;\n\n"),
        ("packages/lib/package.json", "{\"name\": \"lib\"}"),
        ("packages/lib/index.js", "x\n"),
        ("vercel.json", "{}"),
    ]);
    assert_eq!(languages(&found), ["typescript", "javascript"]);
    assert_eq!(shown(&found.workspaces), ["packages/app < pnpm-workspace.yaml", "packages/lib < pnpm-workspace.yaml"]);
    assert_eq!(shown(&found.frameworks), ["next 15.1.0 < packages/app/package.json"]);
    assert_eq!(shown(&found.test_frameworks), ["vitest 3.2.4 < package.json"]);
    assert_eq!(found.package_manager.as_deref(), Some("pnpm"));
    assert_eq!(found.deployment_type.value, "serverless");
    assert_eq!(found.security_level.value, "standard");
    assert_eq!(shown(&found.entry_points), ["dev = next dev < packages/app/package.json"]);
}

#[test]
fn go_java_and_a_mixture() {
    let go = profiled(&[
        (
            "go.mod",
            "module example.org/x\n\ngo 1.22\n\nrequire (\n\tgithub.com/gin-gonic/gin v1.10.0\n\tgolang.org/x/crypto v0.31.0 // indirect\n)\n",
        ),
        ("main.go", "package main\n"),
        ("x/y_test.go", "package x\n"),
    ]);
    assert_eq!(shown(&go.frameworks), ["github.com/gin-gonic/gin v1.10.0 < go.mod"]);
    assert_eq!((go.test_framework.as_deref(), go.package_manager.as_deref()), (Some("go test"), Some("go")));
    assert_eq!(go.security_level.value, "high");

    let java = profiled(&[
        (
            "pom.xml",
            "<project><dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId><version>3.4.0</version></dependency><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.11.0</version><scope>test</scope></dependency></dependencies></project>",
        ),
        ("src/main/java/x/ShopApplication.java", "class ShopApplication {}\n"),
    ]);
    assert_eq!(shown(&java.frameworks), ["org.springframework.boot:spring-boot-starter-web 3.4.0 < pom.xml"]);
    assert_eq!(
        (java.test_framework.as_deref(), java.package_manager.as_deref()),
        (Some("org.junit.jupiter:junit-jupiter"), Some("maven"))
    );

    let mixed = profiled(&[
        ("api/requirements.txt", "Django==5.2.7\n"),
        ("api/manage.py", "import os\n\n\n"),
        ("web/package.json", "{\"dependencies\": {\"vue\": \"3\"}}"),
        ("web/src/a.ts", "x\n"),
        ("docker-compose.yml", "services: {}\n"),
        ("broken/package.json", "{"),
    ]);
    assert_eq!(languages(&mixed), ["python", "typescript"]);
    assert_eq!(shown(&mixed.frameworks), ["django 5.2.7 < api/requirements.txt", "vue < web/package.json"]);
    assert_eq!(shown(&mixed.package_managers), ["pip < api/requirements.txt", "npm < broken/package.json"]);
    assert!(mixed.unread[0].starts_with("broken/package.json: "), "{:?}", mixed.unread);

    let empty = profiled(&[]);
    assert_eq!(
        (empty.languages.len(), empty.deployment_type.value.as_str(), empty.security_level.value.as_str()),
        (0, "none", "basic")
    );
}

#[test]
fn this_project_itself() {
    let found = of(Path::new(env!("CARGO_MANIFEST_DIR")));
    assert_eq!(found.languages[0].name, "rust");
    assert!(
        found
            .frameworks
            .iter()
            .any(|one| one.name == "tokio" && one.version.as_deref().is_some_and(|v| v.starts_with("1.")))
    );
    assert_eq!(found.package_managers[0].name, "cargo");
    assert!(found.entry_points.iter().any(|one| one.evidence == "src/main.rs"));
    assert!(found.test_frameworks.iter().any(|one| one.name == "cargo test"));
}

#[test]
fn real_trees() {
    let django = of(&corpus::dir("django-source"));
    assert_eq!(django.languages[0].name, "python");
    assert!(django.languages[0].lines > 300_000, "{:?}", django.languages);
    assert_eq!(shown(&django.frameworks), ["django < pyproject.toml"]);
    assert_eq!(django.test_framework.as_deref(), Some("unittest"));
    assert_eq!(django.package_manager.as_deref(), Some("pip"));
    assert_eq!(django.deployment_type.value, "package");
    assert!(
        shown(&django.entry_points)
            .contains(&"django-admin = django.core.management:execute_from_command_line < pyproject.toml".to_owned())
    );

    let requests = of(&corpus::dir("requests"));
    assert_eq!(requests.languages[0].name, "python");
    assert_eq!(requests.test_framework.as_deref(), Some("pytest"));
    assert!(requests.libraries.iter().any(|library| library.name.to_lowercase() == "pytest"));
}

#[test]
fn cycles_of_written_modules() {
    let (_dir, boundary) = written(&[
        ("pkg/__init__.py", "from . import a\n"),
        ("pkg/a.py", "from pkg.b import x\n"),
        ("pkg/b.py", "def f():\n    from pkg import c\nx = 1\n"),
        ("pkg/c.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .d import D\nfrom . import b\n"),
        ("pkg/d.py", "from .c import b\n"),
        ("pkg/e.py", "from .f import y\n"),
        ("pkg/f.py", "from .e import z\ny = 1\n"),
    ]);
    let links = ProjectIndex::new(Arc::clone(&boundary)).snapshot(&[]).unwrap().links().unwrap();
    let report = coupling::build_dependency_report(&links, false, None);
    let cycles: Vec<(ImportTiming, String)> =
        report.cycles.iter().map(|cycle| (cycle.kind, cycle.modules.join(" "))).collect();
    assert_eq!(
        cycles,
        [
            (ImportTiming::Runtime, "pkg/e.py pkg/f.py".to_owned()),
            (ImportTiming::Deferred, "pkg/b.py pkg/c.py".to_owned()),
        ]
    );
    let of = |file: &str| report.coupling.iter().find(|one| one.file == file).map(|one| (one.afferent, one.efferent));
    assert_eq!(of("pkg/b.py"), Some((2, 1)));
}

#[test]
fn real_trees_have_cycles_and_little_dead_code() {
    let boundary = Arc::new(Boundary::open(&corpus::dir("requests")).unwrap());
    let links = ProjectIndex::new(Arc::clone(&boundary)).snapshot(&[]).unwrap().links().unwrap();
    let report = coupling::build_dependency_report(&links, false, Some("src"));
    assert!(report.modules >= 18 && report.coupling[0].afferent > 0, "{report:?}");
    let call = Call::quiet(Duration::from_secs(60));
    let dead = dead_code::find_dead_code(&boundary, &links, &["src".to_owned()], 90, &call).unwrap();
    let names: Vec<&str> = dead.unused.iter().map(|one| one.name.as_str()).collect();
    assert!(names.len() <= 3, "{names:?}");
    assert!(dead.files > 30);
}

#[test]
fn a_go_module_with_programs_of_its_own() {
    let found = profiled(&[
        (
            "go.mod",
            "module example.org/relay\n\ngo 1.25.0\n\ntoolchain go1.25.4\n\nrequire (\n\tgithub.com/go-chi/chi/v5 v5.2.3\n\t\
             github.com/stretchr/testify v1.11.1\n)\n\nrequire github.com/davecgh/go-spew v1.1.1 // indirect\n\n\
             replace example.org/shared => ../shared\n",
        ),
        (
            "go.sum",
            "github.com/go-chi/chi/v5 v5.2.3 h1:WQIt9uxdsAbgIYgid+BpYc+liqQZGMHRaUwp0JUcvdE=\n\
             github.com/go-chi/chi/v5 v5.2.3/go.mod h1:L2yAIGWB3H+phAw1NxKwWM+7eUH/lU8pOMm5hHcoops=\n",
        ),
        ("cmd/relay/main.go", "package main\n\nfunc main() {}\n"),
        ("cmd/relayctl/ctl.go", "package main\n\nfunc main() {\n}\n"),
        ("cmd/relayctl/flags.go", "package main\n\nvar verbose bool\n"),
        ("internal/hub/hub.go", "package hub\n\nfunc Open() {}\n"),
        ("internal/hub/hub_test.go", "package hub\n"),
        ("vendor/github.com/go-chi/chi/v5/chi_test.go", "package chi\n"),
        (".golangci.yml", "version: \"2\"\n"),
        (".gitlab-ci.yml", "test:\n  script: go test ./...\n"),
        ("deploy/kustomization.yaml", "resources: []\n"),
        ("Dockerfile", "FROM golang:1.25\n"),
    ]);
    assert_eq!(languages(&found), ["go"]);
    assert_eq!(found.languages[0].files, 6);
    assert_eq!(shown(&found.package_managers), ["go < go.mod"]);
    assert_eq!(shown(&found.test_frameworks)[1..], ["go test < internal/hub/hub_test.go"]);
    assert_eq!(
        shown(&found.entry_points),
        ["relay < cmd/relay/main.go", "relayctl < cmd/relayctl/ctl.go"],
        "a file of a program that is not its beginning is none"
    );
    assert_eq!(shown(&found.ci), ["gitlab < .gitlab-ci.yml"]);
    assert_eq!(shown(&found.quality_config.tools), ["golangci-lint < .golangci.yml"]);
    assert_eq!(
        (found.deployment_type.value.as_str(), found.deployment_type.evidence.as_slice()),
        ("kubernetes", &["deploy/kustomization.yaml".to_owned()][..])
    );
    let libraries: Vec<(&str, Option<&str>)> =
        found.libraries.iter().map(|library| (library.name.as_str(), library.version.as_deref())).collect();
    assert!(libraries.contains(&("github.com/go-chi/chi/v5", Some("v5.2.3"))), "{libraries:?}");
    assert!(found.unread.is_empty(), "{:?}", found.unread);
}

/// Packages as they were published, put together as their authors keep them: one repository, many packages.
#[test]
fn a_monorepo_of_published_packages() {
    if systems::require(System::Node).is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for (name, package) in [("runtime-core", "vue-runtime-core"), ("fastify", "npm-fastify"), ("left-out", "rxjs")] {
        let to = dir.path().join("packages").join(name);
        std::fs::create_dir_all(&to).unwrap();
        std::fs::copy(corpus::dir(package).join("package.json"), to.join("package.json")).unwrap();
    }
    let write = |path: &str, text: &str| std::fs::write(dir.path().join(path), text).unwrap();
    write("package.json", "{\"private\": true, \"packageManager\": \"pnpm@10.20.0\"}");
    write("pnpm-workspace.yaml", "packages:\n  - packages/*\n  - '!packages/left-out'\n");
    write(
        "pnpm-lock.yaml",
        "lockfileVersion: '9.0'\nimporters:\n  packages/runtime-core:\n    dependencies:\n      '@vue/shared':\n        \
         specifier: 3.5.24\n        version: 3.5.24\npackages:\n  '@vue/shared@3.5.24': {}\n",
    );
    let found = of(dir.path());
    assert_eq!(
        shown(&found.workspaces),
        ["packages/fastify < pnpm-workspace.yaml", "packages/runtime-core < pnpm-workspace.yaml"]
    );
    assert_eq!(shown(&found.package_managers), ["pnpm < pnpm-lock.yaml"]);
    assert_eq!(found.deployment_type.value, "none", "a private root is no package");
    let shared = found.libraries.iter().find(|library| library.name == "@vue/shared").unwrap();
    assert_eq!(
        (shared.version.as_deref(), shared.manifest.as_str(), shared.lock_file.as_deref()),
        (Some("3.5.24"), "packages/runtime-core/package.json", Some("pnpm-lock.yaml"))
    );
    let fastify: Vec<&str> = found
        .libraries
        .iter()
        .filter(|library| library.manifest == "packages/fastify/package.json" && !library.development)
        .map(|library| library.name.as_str())
        .collect();
    assert!(fastify.contains(&"find-my-way") && fastify.contains(&"pino"), "{fastify:?}");
}
