//! Configuration: layers, origins, mistakes, and the committed schema.

use std::path::Path;

use tapps_base::ErrorCode;
use tapps_config::{Config, ConfigOrigin, Loaded, Override, Sources, load_config};

struct Project {
    dir: tempfile::TempDir,
    sources: Sources,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        let root = base.join("project");
        std::fs::create_dir_all(&root).unwrap();
        for (name, text) in files {
            let path = base.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let sources = Sources {
            current_dir: root.clone(),
            root,
            user_file: Some(base.join("home/config.toml")),
            ..Sources::default()
        };
        Self { dir, sources }
    }

    fn variable(mut self, name: &str, value: &str) -> Self {
        self.sources.environment.insert(name.to_owned(), value.to_owned());
        self
    }

    fn flag(mut self, key: &'static str, value: impl Into<serde_json::Value>, flag: &'static str) -> Self {
        self.sources.overrides.push(Override { key, value: value.into(), flag });
        self
    }

    fn load(&self) -> Loaded {
        load_config(&self.sources).unwrap()
    }

    fn fails(&self) -> (ErrorCode, String, String) {
        let error = load_config(&self.sources).unwrap_err();
        (error.code(), error.message().to_owned(), error.body().hint.clone().unwrap_or_default())
    }
}

#[test]
fn nothing_set_means_the_defaults() {
    let loaded = Project::new(&[]).load();
    assert_eq!(loaded, Loaded::default());
    assert_eq!(loaded.config.python.version.to_string(), "3.13");
    assert_eq!(loaded.config.limits.max_file_bytes, 10_485_760);
    assert_eq!(*loaded.origins.origin_of("preset"), ConfigOrigin::Default);
}

#[test]
fn each_layer_wins_over_the_one_below_and_says_so() {
    let everywhere = "[limits]\ndeadline_seconds = ";
    let user = format!("{everywhere}1\nmemory_mb = 100\n");
    let project = format!("preset = 'strict'\n{everywhere}2\nmax_file_bytes = 7\n");
    let base = || Project::new(&[("home/config.toml", &user), ("project/tapps-mcp.toml", &project)]);

    let loaded = base().load();
    assert_eq!(loaded.config.limits.deadline_seconds, 2);
    assert_eq!(loaded.config.limits.memory_mb, Some(100));
    assert_eq!(loaded.config.limits.max_file_bytes, 7);
    assert_eq!(loaded.config.preset, "strict");
    assert_eq!(loaded.origins.origin_of("limits.deadline_seconds").to_string(), "tapps-mcp.toml:3");
    assert!(loaded.origins.origin_of("limits.memory_mb").to_string().ends_with("home/config.toml:3"));

    let loaded = base().variable("TAPPS_MCP_LIMITS_DEADLINE_SECONDS", "3").load();
    assert_eq!(loaded.config.limits.deadline_seconds, 3);
    assert_eq!(loaded.origins.origin_of("limits.deadline_seconds").to_string(), "TAPPS_MCP_LIMITS_DEADLINE_SECONDS");

    let loaded = base()
        .variable("TAPPS_MCP_LIMITS_DEADLINE_SECONDS", "3")
        .flag("limits.deadline_seconds", 4, "--deadline")
        .load();
    assert_eq!(loaded.config.limits.deadline_seconds, 4);
    assert_eq!(loaded.origins.origin_of("limits.deadline_seconds").to_string(), "--deadline");
}

#[test]
fn pyproject_serves_as_the_project_file_and_gives_the_python_version() {
    let text = "[project]\nname = 'x'\nrequires-python = '>=3.11'\n\n[tool.tapps-mcp]\npreset = 'framework'\n";
    let loaded = Project::new(&[("project/pyproject.toml", text)]).load();
    assert_eq!(loaded.config.preset, "framework");
    assert_eq!(loaded.origins.origin_of("preset").to_string(), "pyproject.toml:6");
    assert_eq!(loaded.config.python.version.to_string(), "3.11");
    assert_eq!(
        *loaded.origins.origin_of("python.version"),
        ConfigOrigin::Derived { file: "pyproject.toml".into(), line: 3 }
    );

    let set = format!("{text}[tool.tapps-mcp.python]\nversion = '3.9'\n");
    let loaded = Project::new(&[("project/pyproject.toml", &set)]).load();
    assert_eq!(loaded.config.python.version.to_string(), "3.9");
}

#[test]
fn two_project_files_are_refused() {
    let project = Project::new(&[
        ("project/pyproject.toml", "[tool.tapps-mcp]\n"),
        ("project/tapps-mcp.toml", "adaptive = true\n"),
    ]);
    let (code, message, _) = project.fails();
    assert_eq!(code, ErrorCode::ConfigError);
    assert!(message.contains("both tapps-mcp.toml and [tool.tapps-mcp]"), "{message}");
}

#[test]
fn mistakes_in_files_name_the_place_and_the_remedy() {
    for (file, text, code, message, hint) in [
        (
            "tapps-mcp.toml",
            "\n[limit]\nx = 1\n",
            ErrorCode::ConfigError,
            "tapps-mcp.toml:2: unknown key `limit`",
            "limits",
        ),
        (
            "pyproject.toml",
            "[tool.tapps-mcp.server]\ntext = 'short'\n",
            ErrorCode::ConfigError,
            "pyproject.toml:2: `server.text` must be \"full\" or \"brief\", found \"short\"",
            "full",
        ),
        (
            "tapps-mcp.toml",
            "preset = 'strcit'",
            ErrorCode::InvalidArgument,
            "tapps-mcp.toml:1: unknown preset `strcit`",
            "did you mean strict",
        ),
        ("tapps-mcp.toml", "[weights]\nsecurity = 0.5", ErrorCode::ConfigError, "sum to 1.230 instead of 1", "seven"),
        (
            "tapps-mcp.toml",
            "[python]\nversion = '3.8'",
            ErrorCode::ConfigError,
            "tapps-mcp.toml:2: `python.version`: `3.8`",
            "3.14",
        ),
        (
            "tapps-mcp.toml",
            "[toolchain]\ndir = 'evil'",
            ErrorCode::ConfigError,
            "tapps-mcp.toml:2: `toolchain.dir` cannot be set by a project",
            "TAPPS_MCP_TOOLCHAIN_DIR",
        ),
        ("pyproject.toml", "[tool.tapps-mcp\n", ErrorCode::ConfigError, "pyproject.toml:1: not valid TOML", "syntax"),
    ] {
        let found = Project::new(&[(&format!("project/{file}"), text)]).fails();
        assert_eq!(found.0, code, "{text}");
        assert!(found.1.contains(message), "{}", found.1);
        assert!(found.2.contains(hint), "{}", found.2);
    }
}

#[test]
fn a_broken_pyproject_that_is_not_ours_is_only_a_warning() {
    let loaded = Project::new(&[("project/pyproject.toml", "[project\n")]).load();
    assert_eq!(loaded.config, Config::default());
    assert_eq!(loaded.warnings.len(), 1);
    assert!(loaded.warnings[0].starts_with("pyproject.toml:1: not valid TOML"), "{:?}", loaded.warnings);
}

#[test]
fn settings_of_another_program_are_named_and_not_read() {
    let loaded = Project::new(&[("project/.tapps-mcp.yaml", "quality_preset: strict\n")]).load();
    assert_eq!(loaded.config.preset, "standard");
    assert_eq!(
        loaded.warnings,
        [
            ".tapps-mcp.yaml is not read: write its settings into tapps-mcp.toml (`tapps-mcp config schema` lists the keys)"
        ]
    );
}

#[test]
fn paths_are_relative_to_the_place_that_sets_them() {
    let mut project = Project::new(&[(
        "home/config.toml",
        "[toolchain]\ndata_dir = 'd'\ncache_dir = '/abs'\npython = 'python3.12'\n",
    )])
    .flag("toolchain.dir", "t", "--dir");
    project.sources.current_dir = "/somewhere".into();
    let toolchain = project.load().config.toolchain;
    assert_eq!(toolchain.data_dir.unwrap(), project.dir.path().canonicalize().unwrap().join("home/d"));
    assert_eq!(toolchain.cache_dir.unwrap(), Path::new("/abs"));
    assert_eq!(toolchain.python.unwrap(), Path::new("python3.12"));
    assert_eq!(toolchain.dir.unwrap(), Path::new("/somewhere/t"));
}

#[test]
fn a_named_file_takes_the_place_of_the_projects_own() {
    let mut project = Project::new(&[
        ("project/tapps-mcp.toml", "preset = 'strict'\n"),
        ("other/ci.toml", "adaptive = true\n[toolchain]\nallow_unverified = true\n"),
    ]);
    project.sources.named_file = Some("../other/ci.toml".into());
    let loaded = project.load();
    assert_eq!(loaded.config.preset, "standard");
    assert!(loaded.config.adaptive && loaded.config.toolchain.allow_unverified);
    assert_eq!(loaded.origins.origin_of("adaptive").to_string(), "../other/ci.toml:1");

    project.sources.named_file = Some("missing.toml".into());
    assert_eq!(project.fails().0, ErrorCode::FileNotFound);
}

#[cfg(unix)]
#[test]
fn a_project_file_that_is_no_file_or_leads_out_is_refused() {
    let project = Project::new(&[("outside.toml", "adaptive = true\n")]);
    let own = project.sources.root.join("tapps-mcp.toml");
    for (target, message) in [("../outside.toml", "leads out of the project"), ("/dev/zero", "not a regular file")] {
        std::os::unix::fs::symlink(target, &own).unwrap();
        let (code, found, _) = project.fails();
        assert_eq!(code, ErrorCode::ConfigError);
        assert!(found.contains(message), "{found}");
        std::fs::remove_file(&own).unwrap();
    }
}

#[test]
fn own_presets_work_end_to_end() {
    let text = "preset = 'team'\n[gates.team]\nextends = 'strict'\noverall = 65\n";
    let config = Project::new(&[("project/tapps-mcp.toml", text)]).load().config;
    let gate = config.gate(None).unwrap();
    assert_eq!((gate.preset.as_str(), gate.overall, gate.security), ("team", 65.0, 8.5));
    assert_eq!(config.gate(Some("teem")).unwrap_err().body().hint.as_deref(), Some("did you mean team?"));
}

#[test]
fn the_committed_schema_is_current_and_tells_good_from_bad() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/config.schema.json");
    let current = Config::json_schema().unwrap();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &current).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(committed, current, "run the tests with UPDATE_DOCS=1 to write docs/config.schema.json anew");

    let schema: serde_json::Value = serde_json::from_str(&current).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let defaults = serde_json::to_value(Config::default()).unwrap();
    assert!(validator.is_valid(&defaults), "the defaults are a legal configuration");
    for bad in [
        serde_json::json!({"presett": "x"}),
        serde_json::json!({"rules": "mine"}),
        serde_json::json!({"weights": {"security": 2}}),
        serde_json::json!({"python": {"version": "3.8"}}),
    ] {
        assert!(!validator.is_valid(&bad), "{bad}");
    }
}

#[test]
fn unused_variables_are_told() {
    let loaded = Project::new(&[]).variable("TAPPS_MCP_PRESETS", "strict").load();
    assert_eq!(loaded.config.preset, "standard");
    assert_eq!(loaded.warnings, ["the variable TAPPS_MCP_PRESETS sets nothing; did you mean TAPPS_MCP_PRESET?"]);
}

/// Runs the program in a project with nothing of this machine's configuration.
fn program(project: &Project, args: &[&str]) -> (Option<i32>, String, String) {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_tapps-mcp"))
        .args(args)
        .current_dir(&project.sources.root)
        .env_clear()
        .env("HOME", project.dir.path())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_program_shows_each_value_with_its_origin() {
    let project = Project::new(&[("project/tapps-mcp.toml", "preset = 'strict'\n")]);
    let (code, out, err) = program(&project, &["--offline", "config", "show", "--origin"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let line =
        |key: &str| out.lines().find(|line| line.starts_with(key)).unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!(line("preset"), ["preset", "=", "\"strict\"", "#", "tapps-mcp.toml:1"]);
    assert_eq!(line("toolchain.offline"), ["toolchain.offline", "=", "true", "#", "--offline"]);
    assert_eq!(line("rules"), ["rules", "=", "\"tapps\"", "#", "default"]);

    let (code, out, _) = program(&project, &["config", "show", "--origin", "--format", "json"]);
    assert_eq!(code, Some(0));
    let shown: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(shown["config"]["preset"], "strict");
    let origin = serde_json::json!({"source": "project", "file": "tapps-mcp.toml", "line": 1});
    assert_eq!(shown["origins"], serde_json::json!({"preset": origin}));
    assert_eq!(serde_json::from_value::<Config>(shown["config"].clone()).unwrap(), project.load().config);
}

#[test]
fn the_program_tells_mistakes_to_people_and_programs() {
    let project = Project::new(&[("project/tapps-mcp.toml", "prset = 'strict'\n")]);
    let (code, out, err) = program(&project, &["config", "show"]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert_eq!(err, "error: tapps-mcp.toml:1: unknown key `prset`\nhint: did you mean preset?\n");
    let (code, out, _) = program(&project, &["config", "show", "--format", "json"]);
    assert_eq!(code, Some(2));
    let body: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&body["error_code"], &body["hint"]), (&"config_error".into(), &"did you mean preset?".into()));
    for args in [&["config", "shwo"][..], &[], &["-v", "-q", "config", "show"]] {
        let (code, out, err) = program(&project, args);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{args:?}");
        assert!(!err.is_empty(), "{args:?}");
    }
}

#[test]
fn help_and_version_are_answers() {
    let project = Project::new(&[]);
    let (code, out, err) = program(&project, &["--version"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.starts_with(&format!("tapps-mcp {}", env!("CARGO_PKG_VERSION"))), "{out}");
    let (code, out, _) = program(&project, &["--help"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("--project-root") && out.contains("config"), "{out}");
}
