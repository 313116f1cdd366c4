//! The project boundary under attack.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use tapps_base::{ErrorCode, Result, digest};
use tapps_sandbox::boundary::PathKind;
use tapps_sandbox::{Boundary, WalkOptions};

const MAX: u64 = 10 * 1024 * 1024;

/// A project with `src/a.py` beside a folder with a secret.
struct Case {
    dir: tempfile::TempDir,
    boundary: Boundary,
}

impl Case {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("project/src")).unwrap();
        std::fs::create_dir(dir.path().join("outside")).unwrap();
        std::fs::write(dir.path().join("project/src/a.py"), "inside").unwrap();
        std::fs::write(dir.path().join("outside/secret.py"), "OUTSIDE").unwrap();
        let boundary = Boundary::open(&dir.path().join("project")).unwrap();
        Self { dir, boundary }
    }

    fn path(&self, relative: &str) -> PathBuf {
        self.boundary.root().join(relative)
    }

    fn read(&self, path: &str) -> Result<Vec<u8>> {
        self.boundary.read(&self.boundary.resolve(path)?, MAX)
    }

    fn refused(&self, path: &str) -> (ErrorCode, String) {
        let error = self.read(path).unwrap_err();
        (error.code(), error.message().to_owned())
    }

    fn walk(&self, start: &str, options: &WalkOptions) -> Vec<String> {
        let start = self.boundary.resolve(start).unwrap();
        self.boundary.walk(&start, options).unwrap().iter().map(ToString::to_string).collect()
    }
}

#[test]
fn files_inside_are_read_however_they_are_spelled() {
    let case = Case::new();
    let absolute = case.path("src/a.py");
    let as_given = case.dir.path().join("project/src/a.py");
    for path in ["src/a.py", "./src//a.py", "src/./a.py", absolute.to_str().unwrap(), as_given.to_str().unwrap()] {
        assert_eq!(case.read(path).unwrap(), b"inside", "{path}");
        assert_eq!(case.boundary.resolve(path).unwrap().as_str(), "src/a.py");
    }
    assert_eq!(case.boundary.resolve(".").unwrap(), case.boundary.root_as_project_path());
    assert_eq!(
        case.boundary.resolve(case.boundary.root().to_str().unwrap()).unwrap(),
        case.boundary.root_as_project_path()
    );
}

#[test]
fn a_root_reached_through_a_link_accepts_both_spellings() {
    let case = Case::new();
    let alias = case.dir.path().join("alias");
    symlink(case.boundary.root(), &alias).unwrap();
    let boundary = Boundary::open(&alias).unwrap();
    assert_eq!(boundary.root(), case.boundary.root());
    for root in [alias.as_path(), case.boundary.root()] {
        assert_eq!(boundary.resolve(root.join("src/a.py").to_str().unwrap()).unwrap().as_str(), "src/a.py");
    }
    // A third spelling is found by asking the system.
    let other = case.dir.path().join("other");
    symlink(case.boundary.root(), &other).unwrap();
    assert_eq!(boundary.resolve(other.join("src/a.py").to_str().unwrap()).unwrap().as_str(), "src/a.py");
}

#[test]
fn hostile_spellings_are_refused() {
    let case = Case::new();
    let outside = case.dir.path().join("outside/secret.py");
    let beside = format!("{}x/a.py", case.boundary.root().display());
    for (path, code) in [
        ("../outside/secret.py", ErrorCode::PathDenied),
        ("src/../../outside/secret.py", ErrorCode::PathDenied),
        ("src/../src/a.py", ErrorCode::PathDenied),
        ("%2e%2e/outside/secret.py", ErrorCode::PathDenied),
        ("..%2foutside%2fsecret.py", ErrorCode::PathDenied),
        ("..%5coutside%5csecret.py", ErrorCode::PathDenied),
        ("%252e%252e/outside/secret.py", ErrorCode::PathDenied),
        ("..\\outside\\secret.py", ErrorCode::PathDenied),
        (outside.to_str().unwrap(), ErrorCode::PathDenied),
        (beside.as_str(), ErrorCode::PathDenied),
        ("/etc/passwd", ErrorCode::PathDenied),
        ("/", ErrorCode::PathDenied),
        ("src/a.py\0.png", ErrorCode::InvalidArgument),
        ("", ErrorCode::InvalidArgument),
        ("src", ErrorCode::InvalidArgument),
        ("src/missing.py", ErrorCode::FileNotFound),
        ("src/a.py/b", ErrorCode::FileNotFound),
    ] {
        assert_eq!(case.refused(path).0, code, "{path:?}");
    }
}

#[test]
fn links_are_followed_inside_and_refused_outside() {
    let case = Case::new();
    symlink("src/a.py", case.path("relative.py")).unwrap();
    symlink(case.path("src/a.py"), case.path("absolute.py")).unwrap();
    symlink("src", case.path("folder")).unwrap();
    symlink("../src/a.py", case.path("src/up.py")).unwrap();
    for path in ["relative.py", "absolute.py", "folder/a.py", "src/up.py"] {
        assert_eq!(case.read(path).unwrap(), b"inside", "{path}");
    }

    symlink("../outside/secret.py", case.path("out.py")).unwrap();
    symlink(case.dir.path().join("outside/secret.py"), case.path("out-absolute.py")).unwrap();
    symlink("../outside", case.path("out")).unwrap();
    symlink("out.py", case.path("chain.py")).unwrap();
    symlink("/proc/self/root", case.path("magic")).unwrap();
    symlink("loop", case.path("loop")).unwrap();
    for path in ["out.py", "out-absolute.py", "out/secret.py", "chain.py", "magic/etc/passwd", "loop"] {
        let (code, message) = case.refused(path);
        assert_eq!(code, ErrorCode::PathDenied, "{path}: {message}");
        assert!(!message.contains("OUTSIDE"));
    }
}

#[test]
fn special_files_are_refused_and_nothing_waits_for_them() {
    let case = Case::new();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        case.path("fifo"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o644),
        0,
    )
    .unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(case.path("socket")).unwrap();
    symlink("/dev/zero", case.path("zero")).unwrap();
    for path in ["fifo", "socket", "zero"] {
        let (code, message) = case.refused(path);
        assert!(matches!(code, ErrorCode::PathDenied | ErrorCode::Internal), "{path}: {message}");
    }
    assert_eq!(case.refused("fifo").1, "the path `fifo` is not a regular file");
    assert_eq!(case.boundary.kind(&case.boundary.resolve("fifo").unwrap()).unwrap(), PathKind::Special);
    let walked = case.boundary.walk(&case.boundary.resolve("fifo").unwrap(), &WalkOptions::default());
    assert_eq!(walked.unwrap_err().code(), ErrorCode::PathDenied);

    // The root may itself hold devices.
    let devices = Boundary::open(std::path::Path::new("/dev")).unwrap();
    let error = devices.read(&devices.resolve("zero").unwrap(), MAX).unwrap_err();
    assert_eq!((error.code(), error.message()), (ErrorCode::PathDenied, "the path `zero` is not a regular file"));
}

#[test]
fn large_files_are_refused_before_they_are_read() {
    let case = Case::new();
    let file = std::fs::File::create(case.path("large.py")).unwrap();
    file.set_len(20 * 1024 * 1024).unwrap();
    let (code, message) = case.refused("large.py");
    assert_eq!(code, ErrorCode::InvalidArgument);
    assert_eq!(message, "`large.py` has 20971520 bytes, more than the 10485760 that are read");
    file.set_len(MAX).unwrap();
    assert_eq!(case.read("large.py").unwrap().len(), 10_485_760);
    // A file whose size says nothing.
    let proc = Boundary::open(std::path::Path::new("/proc/self")).unwrap();
    let error = proc.read(&proc.resolve("maps").unwrap(), 10).unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidArgument);
}

#[test]
fn a_typo_is_answered_with_the_nearest_names() {
    let case = Case::new();
    std::fs::write(case.path("src/handlers.py"), "").unwrap();
    for (path, hint) in [
        ("src/handler.py", "did you mean `src/handlers.py`?"),
        ("srcs/a.py", "did you mean `src`?"),
        ("sr/x/y/a.py", "did you mean `src`?"),
    ] {
        let error = case.read(path).unwrap_err();
        assert_eq!(error.code(), ErrorCode::FileNotFound);
        assert_eq!(error.body().hint.as_deref(), Some(hint), "{path}");
    }
}

#[test]
fn a_link_exchanged_while_files_are_read_never_shows_the_outside() {
    const SWAPS: usize = 10_000;
    let case = Case::new();
    std::fs::create_dir(case.path("good")).unwrap();
    std::fs::write(case.path("good/secret.py"), "inside").unwrap();
    symlink("good", case.path("link")).unwrap();
    let file = case.boundary.resolve("link/secret.py").unwrap();
    let folder = case.boundary.resolve("link").unwrap();
    let done = AtomicBool::new(false);
    let (mut inside, mut refused) = (0_u32, 0_u32);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let absolute = case.path("good");
            let targets = ["../outside".into(), PathBuf::from("good"), case.dir.path().join("outside"), absolute];
            for round in 0..SWAPS {
                symlink(&targets[round % targets.len()], case.path("next")).unwrap();
                std::fs::rename(case.path("next"), case.path("link")).unwrap();
            }
            done.store(true, Ordering::Release);
        });
        while !done.load(Ordering::Acquire) {
            match case.boundary.read(&file, MAX) {
                Ok(bytes) => {
                    assert_eq!(bytes, b"inside");
                    inside += 1;
                }
                Err(error) => {
                    assert!(matches!(error.code(), ErrorCode::PathDenied | ErrorCode::FileNotFound), "{error}");
                    refused += 1;
                }
            }
            if let Ok(names) = case.boundary.walk(&folder, &WalkOptions::default()) {
                assert!(names.len() <= 1);
            }
            // A write must land inside or nowhere.
            let _ = case.boundary.write_atomic(&file, b"inside", Some(&digest::sha256(b"inside")));
        }
    });
    assert!(inside > 0 && refused > 0, "both sides of the race were seen: {inside} inside, {refused} refused");
    let outside: Vec<_> = std::fs::read_dir(case.dir.path().join("outside")).unwrap().collect();
    assert_eq!(outside.len(), 1);
    assert_eq!(std::fs::read(case.dir.path().join("outside/secret.py")).unwrap(), b"OUTSIDE");
}

#[test]
fn writing_replaces_the_file_that_was_seen_and_no_other() {
    let case = Case::new();
    let path = case.boundary.resolve("src/a.py").unwrap();
    std::fs::set_permissions(case.path("src/a.py"), std::fs::Permissions::from_mode(0o754)).unwrap();
    case.boundary.write_atomic(&path, b"new", Some(&digest::sha256(b"inside"))).unwrap();
    assert_eq!(std::fs::read(case.path("src/a.py")).unwrap(), b"new");
    assert_eq!(std::fs::metadata(case.path("src/a.py")).unwrap().permissions().mode() & 0o777, 0o754);

    let stale = case.boundary.write_atomic(&path, b"again", Some(&digest::sha256(b"inside"))).unwrap_err();
    assert_eq!(stale.message(), "`src/a.py` has changed since it was read; nothing was written");
    let exists = case.boundary.write_atomic(&path, b"again", None).unwrap_err();
    assert_eq!(exists.message(), "`src/a.py` exists already; nothing was written");

    let fresh = case.boundary.resolve("src/b.py").unwrap();
    let gone = case.boundary.write_atomic(&fresh, b"b", Some(&digest::sha256(b""))).unwrap_err();
    assert_eq!(gone.code(), ErrorCode::FileNotFound);
    case.boundary.write_atomic(&fresh, b"b", None).unwrap();
    assert_eq!(case.read("src/b.py").unwrap(), b"b");

    symlink("a.py", case.path("src/link.py")).unwrap();
    let link = case.boundary.resolve("src/link.py").unwrap();
    let refused = case.boundary.write_atomic(&link, b"x", Some(&digest::sha256(b"new"))).unwrap_err();
    assert_eq!(refused.code(), ErrorCode::PathDenied);
    symlink("../outside", case.path("out")).unwrap();
    let out = case.boundary.resolve("out/new.py").unwrap();
    assert_eq!(case.boundary.write_atomic(&out, b"x", None).unwrap_err().code(), ErrorCode::PathDenied);

    assert_eq!(std::fs::read(case.path("src/a.py")).unwrap(), b"new");
    assert_eq!(case.walk(".", &WalkOptions::default()), ["src/a.py", "src/b.py"], "no temporary file is left");
}

#[test]
fn walking_lists_what_belongs_to_the_project() {
    let case = Case::new();
    for file in [
        ".env",
        ".git/config",
        ".tapps-mcp/log",
        "build/out.py",
        "env/pyvenv.cfg",
        "env/lib/x.py",
        "generated/a_pb2.py",
        "generated/keep.py",
        "node_modules/p/index.js",
        "src/__pycache__/a.pyc",
        "src/deep/build/b.py",
        "src/deep/local.py",
        "src/z.log",
    ] {
        let path = case.path(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "").unwrap();
    }
    std::fs::write(case.path(".gitignore"), "/build/\n*.log\n# comment\n").unwrap();
    std::fs::write(case.path("src/deep/.gitignore"), "local.py\n!*.log\n").unwrap();
    std::fs::write(case.path("src/deep/kept.log"), "").unwrap();
    symlink("../../outside", case.path("src/out")).unwrap();
    symlink("a.py", case.path("src/link.py")).unwrap();
    // A name that no caller could send back.
    std::fs::write(case.path("src/back\\slash.py"), "").unwrap();

    let options = WalkOptions { exclude: vec!["*_pb2.py".into()], ..WalkOptions::default() };
    let expected = [
        ".env",
        ".gitignore",
        "generated/keep.py",
        "src/a.py",
        "src/deep/.gitignore",
        "src/deep/build/b.py",
        "src/deep/kept.log",
    ];
    assert_eq!(case.walk(".", &options), expected);
    assert_eq!(case.walk("src/deep", &options), ["src/deep/.gitignore", "src/deep/build/b.py", "src/deep/kept.log"]);
    assert_eq!(case.walk("build", &options), ["build/out.py"], "a named folder is walked although it is ignored");
    assert_eq!(case.walk("src/z.log", &options), ["src/z.log"]);
    assert_eq!(
        case.walk("src", &WalkOptions { include_ignored: true, ..WalkOptions::default() }),
        [
            "src/a.py",
            "src/deep/.gitignore",
            "src/deep/build/b.py",
            "src/deep/kept.log",
            "src/deep/local.py",
            "src/z.log"
        ]
    );
    let out = case.boundary.resolve("src/out").unwrap();
    assert_eq!(case.boundary.walk(&out, &options).unwrap_err().code(), ErrorCode::PathDenied);
    let bad = WalkOptions { exclude: vec!["a{b".into()], ..WalkOptions::default() };
    assert_eq!(
        case.boundary.walk(&case.boundary.root_as_project_path(), &bad).unwrap_err().code(),
        ErrorCode::ConfigError
    );
}

#[test]
fn a_gitignore_that_never_ends_does_not_stop_a_walk() {
    let case = Case::new();
    let mode = rustix::fs::Mode::from_raw_mode(0o644);
    rustix::fs::mknodat(rustix::fs::CWD, case.path(".gitignore"), rustix::fs::FileType::Fifo, mode, 0).unwrap();
    symlink("/dev/zero", case.path("src/.gitignore")).unwrap();
    assert_eq!(case.walk(".", &WalkOptions::default()), ["src/a.py"]);
}

#[test]
fn a_root_that_is_not_there_is_a_configuration_error() {
    let error = Boundary::open(std::path::Path::new("/nonexistent-project")).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ConfigError);
    assert!(error.message().contains("/nonexistent-project"), "{error}");
}

#[test]
fn makers_of_one_file_do_not_refuse_each_other() {
    let case = Case::new();
    let path = case.boundary.resolve("src/made.json").unwrap();
    let made_here =
        |bytes: &[u8]| if bytes.starts_with(b"made ") { Ok(()) } else { Err(tapps_base::Error::invalid("not ours")) };
    for _ in 0..40 {
        std::thread::scope(|scope| {
            let makers = ["made one", "made two", "made three"]
                .map(|text| scope.spawn(|| case.boundary.replace_own_file(&path, text.as_bytes(), MAX, made_here)));
            for maker in makers {
                maker.join().unwrap().unwrap();
            }
        });
        assert!(case.read("src/made.json").unwrap().starts_with(b"made "));
        std::fs::remove_file(case.path("src/made.json")).unwrap();
    }
    let refused = case
        .boundary
        .replace_own_file(&case.boundary.resolve("src/a.py").unwrap(), b"made", MAX, made_here)
        .unwrap_err();
    assert_eq!((refused.code(), refused.message()), (ErrorCode::InvalidArgument, "not ours"));
    assert_eq!(case.read("src/a.py").unwrap(), b"inside");
    let left: Vec<_> = std::fs::read_dir(case.path("src")).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left, ["a.py"]);
}
