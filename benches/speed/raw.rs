//! The tools by themselves, started as anyone would start them, with the arguments that this program gives them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tapps_base::call::Call;
use tapps_quality::analyzer::{mypy, ruff};
use tapps_security::bandit;
use tapps_toolchain::manage;
use tapps_toolchain::manage::InstallRequest;
use tapps_toolchain::{Toolchain, ToolchainSettings, TreeKind};

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_tapps-mcp");

pub(crate) struct Tools {
    toolchain: Arc<Toolchain>,
    home: tempfile::TempDir,
}

/// Where the tools are; the same as for the tests.
pub(crate) fn settings() -> ToolchainSettings {
    let base = Path::new(env!("CARGO_TARGET_TMPDIR")).join("toolchain");
    ToolchainSettings {
        data_dir: base.join("data"),
        cache_dir: base.join("cache"),
        ..ToolchainSettings::from_env(Some(PROGRAM.into())).unwrap()
    }
}

impl Tools {
    pub(crate) fn installed() -> Self {
        let call = Call::quiet(Duration::from_secs(600));
        let request = InstallRequest { when_needed: true, ..InstallRequest::default() };
        manage::install_toolchain(&settings(), &request, &call).unwrap();
        let toolchain = Arc::new(manage::inspect_toolchain(&settings(), &call).unwrap());
        let home = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        std::fs::write(home.path().join("mypy.ini"), mypy::CONFIGURATION).unwrap();
        std::fs::write(home.path().join("bandit.yaml"), bandit::CONFIG).unwrap();
        std::fs::write(home.path().join("bandit.ini"), bandit::INI).unwrap();
        Self { toolchain, home }
    }

    /// The compiler of TypeScript as a server.
    pub(crate) fn compiler_server(&self) -> Command {
        let mut command = Command::new(self.typescript("bin/tsc"));
        command.args(["--lsp", "--stdio"]).env_clear().env("HOME", self.home.path());
        command
    }

    /// oxlint as a server, with its companion that knows types.
    pub(crate) fn linter_server(&self) -> Command {
        let mut command = Command::new(self.toolchain.root().join("bin/oxlint"));
        command.arg("--lsp").env_clear().env("HOME", self.home.path());
        command.env("OXLINT_TSGOLINT_PATH", self.typescript("bin/tsgolint"));
        command
    }

    fn typescript(&self, program: &str) -> PathBuf {
        self.toolchain.root_apart(TreeKind::TypeScript).unwrap().join(program)
    }

    fn file(&self, name: &str) -> String {
        self.home.path().join(name).to_string_lossy().into_owned()
    }

    pub(crate) fn ruff(&self, root: &Path, files: &[String]) {
        let mut arguments = ruff::check_arguments("py313");
        arguments.extend(files.iter().cloned());
        self.run(Command::new(self.toolchain.root().join("bin/ruff")).args(arguments), root);
    }

    pub(crate) fn bandit(&self, root: &Path, files: &[String]) {
        let names: Vec<&str> = files.iter().map(String::as_str).collect();
        let arguments = bandit::bandit_arguments(&self.file("bandit.yaml"), &self.file("bandit.ini"), &names);
        self.python("bandit", &arguments, root);
    }

    /// With a cache of its own, which [`Tools::forget`] empties.
    pub(crate) fn mypy(&self, root: &Path, files: &[String]) {
        let mut arguments = mypy::mypy_arguments(&self.file("mypy.ini"), &self.file("mypy-cache"), "3.13");
        arguments.push("--".to_owned());
        arguments.extend(files.iter().cloned());
        self.python("mypy", &arguments, root);
    }

    pub(crate) fn radon(&self, root: &Path, files: &[String]) {
        let arguments: Vec<String> = ["cc", "-j"].map(str::to_owned).into_iter().chain(files.iter().cloned()).collect();
        self.python("radon", &arguments, root);
    }

    pub(crate) fn forget(&self) {
        std::fs::remove_dir_all(self.file("mypy-cache")).ok();
    }

    fn python(&self, module: &str, arguments: &[String], root: &Path) {
        let executable: PathBuf = self.toolchain.interpreter().unwrap().executable.clone();
        let start = "import runpy, sys\nsys.path.insert(0, sys.argv.pop(1))\nsys.argv.pop(0)\n\
                     runpy.run_module(sys.argv[0], run_name='__main__', alter_sys=True)\n";
        let lib = self.toolchain.root().join("lib");
        let mut command = Command::new(executable);
        command.args(["-P", "-s", "-S", "-B", "-c", start]).arg(lib).arg(module).args(arguments);
        self.run(&mut command, root);
    }

    fn run(&self, command: &mut Command, root: &Path) {
        let home = self.home.path();
        let command = command.current_dir(root).env_clear().env("HOME", home).env("PYTHONHASHSEED", "0");
        let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
        assert!(matches!(status.code(), Some(0 | 1)), "{command:?}: {status}");
    }
}
