//! Projects and servers for the tests of sessions.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use tapps_sandbox::Boundary;
use tapps_tdd::repository::Repository;
use tapps_tdd::session::replay;
use tapps_tdd::state::SessionState;
use tapps_tdd::verify::Runner;
use tapps_tdd::{FileRepository, SessionId, Sessions, StartRequest};

/// A project in a folder of its own, with nothing in it but two empty folders.
pub(crate) struct Project {
    dir: tempfile::TempDir,
}

impl Project {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("tests")).unwrap();
        Self { dir }
    }

    pub(crate) fn root(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        let path = self.root().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.root().join(".tdd-mcp/sessions")
    }

    pub(crate) fn log_path(&self, id: &str) -> PathBuf {
        self.folder().join(format!("{id}.jsonl"))
    }

    pub(crate) fn repository(&self) -> Arc<dyn Repository> {
        Arc::new(FileRepository::new(self.folder()))
    }

    pub(crate) fn sessions(&self) -> Sessions {
        self.sessions_with(None)
    }

    pub(crate) fn sessions_with(&self, runner: Option<Arc<dyn Runner>>) -> Sessions {
        Sessions::new(self.repository(), Arc::new(Boundary::open(self.root()).unwrap()), runner)
    }

    pub(crate) fn state(&self, id: &str) -> SessionState {
        replay(self.repository().as_ref(), &SessionId::parse(id).unwrap()).unwrap().0
    }

    /// The program, meant for this project, that reaches for no network and no tools of this user's.
    pub(crate) fn program(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tapps-mcp"));
        command.current_dir(self.root()).args(arguments);
        for (name, value) in self.environment() {
            command.env(name, value);
        }
        for name in ["TDD_MCP_SESSION_DIR", "TDD_MCP_USE_MEMORY_REPOSITORY", "TAPPS_MCP_PROJECT_ROOT"] {
            command.env_remove(name);
        }
        command
    }

    fn environment(&self) -> [(&'static str, PathBuf); 3] {
        let own = self.root().join(".own");
        [
            ("TAPPS_MCP_OFFLINE", "1".into()),
            ("TAPPS_MCP_DATA_DIR", own.join("data")),
            ("TAPPS_MCP_CACHE_DIR", own.join("cache")),
        ]
    }
}

/// What the tests ask for unless they care.
pub(crate) fn request() -> StartRequest {
    StartRequest {
        goal: "add numbers".into(),
        test_files: vec!["tests/test_calc.py".into()],
        implementation_files: vec!["calc.py".into()],
        run_tests: vec!["python3 -m pytest -q tests/test_calc.py".into()],
        ..StartRequest::default()
    }
}
