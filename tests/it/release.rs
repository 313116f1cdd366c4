//! The packages of a release, made from this very program, installed by those who read them, and run from there.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use tapps_base::digest;

use crate::mcp_process::Process;
use crate::packages::{assert_valid, json_of, registry_schema, root};
use crate::systems::{self, System};
use crate::toolchain_support::{PROGRAM, copy_tree, folder, make_program, script, settings, stderr, stdout};

pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// This machine, as packages call it.
pub(crate) fn platform() -> String {
    let system = if cfg!(target_os = "macos") { "darwin" } else { std::env::consts::OS };
    format!("{}-{system}", std::env::consts::ARCH)
}

/// This machine, as Node calls it.
pub(crate) fn node_platform() -> String {
    let processor = if cfg!(target_arch = "x86_64") { "x64" } else { "arm64" };
    format!("{}-{processor}", if cfg!(target_os = "macos") { "darwin" } else { "linux" })
}

fn release(arguments: &[&str]) -> Command {
    let mut command = Command::new("python3");
    command.arg(root().join("packaging/release")).args(arguments).env_remove("SOURCE_DATE_EPOCH");
    command
}

pub(crate) fn pack(programs: &Path, out: &Path) -> Command {
    let mut command = release(&["--platform", &platform()]);
    command.arg("--programs").arg(programs).arg("--out").arg(out);
    command
}

pub(crate) fn succeeded(mut command: Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}{}", stdout(&output), stderr(&output));
    stdout(&output)
}

/// A folder with the packages of this package's own programs, without their debugging information, which makes them ten times as
/// large; with an image for containers where what makes one is at hand. Packed once, since it takes a while.
pub(crate) static OWN_PACKAGES: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("own-packages");
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    let (programs, out) = (folder.join("programs"), folder.join("out"));
    fs::create_dir_all(&programs).unwrap();
    for (name, path) in [("tapps-mcp", PROGRAM), ("coderef", env!("CARGO_BIN_EXE_coderef"))] {
        let stripped = Command::new("strip").arg("-o").arg(programs.join(name)).arg(path).status();
        if !stripped.is_ok_and(|status| status.success()) {
            fs::copy(path, programs.join(name)).unwrap();
        }
    }
    let mut command = pack(&programs, &out);
    if systems::at_hand(System::DebianPackages) {
        command.arg("--image").arg(crate::release_image::root_folder());
    }
    succeeded(command);
    out
});

/// A program that packs quickly, and ends, waits or dies as it is told.
const SMALL: &str = r#"
use std::io::Write;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.first().map(String::as_str) {
        Some("completions") => println!("complete {}", words[1]),
        Some("man") => std::fs::write(format!("{}/tapps-mcp.1", words[2]), ".TH tapps-mcp 1\n").unwrap(),
        Some("wait") => {
            println!("{}", std::process::id());
            std::io::stdout().flush().unwrap();
            std::thread::sleep(std::time::Duration::from_secs(300));
        }
        Some("toolchain") => println!("{{\"trees\": [{{\"kind\": \"cp311\"}}]}}"),
        Some("exit") => std::process::exit(words[1].parse().unwrap()),
        Some("echo") => {
            let mut text = String::new();
            std::io::stdin().read_line(&mut text).unwrap();
            print!("{text}{}", words[1..].join("|"));
        }
        _ => println!("{}", words.join(" ")),
    }
}
"#;

/// A folder with the small program under both names, compiled once below the build folder.
pub(crate) static SMALL_PROGRAMS: LazyLock<PathBuf> = LazyLock::new(|| small_programs("dynamic"));

/// The small program, with (`static`) or without (`dynamic`) the C library in it.
pub(crate) fn small_programs(linked: &str) -> PathBuf {
    let tag = &digest::sha256(SMALL.as_bytes())[..16];
    let programs = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("release-{linked}-{tag}"));
    if programs.is_dir() {
        return programs;
    }
    let work = folder();
    let (source, made) = (work.path().join("small.rs"), work.path().join("made"));
    fs::write(&source, SMALL).unwrap();
    fs::create_dir(&made).unwrap();
    let mut compile = Command::new("rustc");
    compile.args(["--edition", "2024", "-C", "strip=symbols", "-o"]).arg(made.join("tapps-mcp")).arg(source);
    let library = if linked == "static" { "target-feature=+crt-static" } else { "target-feature=-crt-static" };
    compile.args(["-C", library]);
    succeeded(compile);
    fs::copy(made.join("tapps-mcp"), made.join("coderef")).unwrap();
    // Another process may have been quicker.
    let moved = fs::rename(made, &programs);
    assert!(moved.is_ok() || programs.is_dir(), "{moved:?}");
    programs
}

/// A folder with the packages of the small program.
pub(crate) fn small_packages() -> tempfile::TempDir {
    let out = folder();
    succeeded(pack(&SMALL_PROGRAMS, out.path()));
    out
}

/// The one file in a folder with this ending.
pub(crate) fn file_ending(folder: &Path, ending: &str) -> PathBuf {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found = paths.filter(|path| path.to_str().unwrap().ends_with(ending));
    let path = found.next().unwrap_or_else(|| panic!("nothing ends with {ending}"));
    assert_eq!(found.next(), None, "one file ends with {ending}");
    path
}

pub(crate) fn names(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

pub(crate) fn run(program: &Path, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).current_dir("/").stdin(Stdio::null()).output().unwrap()
}

fn assert_says_version(program: &Path) {
    let output = run(program, &["--version"]);
    let name = program.file_name().unwrap().to_str().unwrap();
    assert_eq!(stdout(&output), format!("{name} {VERSION}\n"), "{}", stderr(&output));
}

#[test]
fn a_release_has_every_package_of_a_platform_and_their_digests() {
    let packages = small_packages();
    let out = packages.path();
    let (platform, node) = (platform(), node_platform());
    for name in [
        format!("tapps-mcp-{VERSION}-{platform}.cdx.json"),
        format!("tapps-mcp-{VERSION}-{platform}.mcpb"),
        format!("tapps-mcp-{VERSION}-{platform}.tar.gz"),
        format!("tapps-mcp-{node}-{VERSION}.tgz"),
        format!("tapps-mcp-npm-{VERSION}.tgz"),
        "server.json".to_owned(),
        "tapps-mcp.rb".to_owned(),
    ] {
        assert!(out.join(&name).is_file(), "{name}");
    }
    let sums = fs::read_to_string(out.join("SHA256SUMS")).unwrap();
    let listed: BTreeSet<String> = sums.lines().map(|line| line[66..].to_owned()).collect();
    let mut there = names(out);
    assert!(there.remove("SHA256SUMS"));
    assert_eq!(listed, there);
    for line in sums.lines() {
        assert_eq!(&line[..64], digest::sha256(&fs::read(out.join(&line[66..])).unwrap()), "{line}");
    }
    let formula = fs::read_to_string(out.join("tapps-mcp.rb")).unwrap();
    let archive = fs::read(file_ending(out, ".tar.gz")).unwrap();
    assert!(formula.contains(&format!("sha256 \"{}\"", digest::sha256(&archive))), "{formula}");
}

#[test]
fn the_wheel_lists_its_files_and_says_what_it_is_for() {
    let packages = small_packages();
    let path = file_ending(packages.path(), ".whl");
    let mut wheel = zip::ZipArchive::new(fs::File::open(&path).unwrap()).unwrap();
    let mut read = |name: &str| {
        let mut content = Vec::new();
        wheel.by_name(name).unwrap().read_to_end(&mut content).unwrap();
        content
    };
    let info = format!("tapps_mcp-{VERSION}.dist-info");
    let record = String::from_utf8(read(&format!("{info}/RECORD"))).unwrap();
    let mut listed = BTreeSet::new();
    for line in record.lines() {
        let [name, hash, size] = line.split(',').collect::<Vec<_>>()[..] else { panic!("{line}") };
        listed.insert(name.to_owned());
        if name.ends_with("/RECORD") {
            assert_eq!((hash, size), ("", ""));
            continue;
        }
        let content = read(name);
        let expected = format!("sha256={}", URL_SAFE_NO_PAD.encode(digest::sha256_bytes(&content)));
        assert_eq!((hash, size), (&*expected, &*content.len().to_string()), "{name}");
    }
    let metadata = String::from_utf8(read(&format!("{info}/METADATA"))).unwrap();
    assert!(
        metadata.starts_with(&format!("Metadata-Version: 2.4\nName: tapps-mcp\nVersion: {VERSION}\n")),
        "{metadata}"
    );
    let model = json_of(&root().join("src/experts/vector/model.lock.json"));
    let (package, version) = (model["package"].as_str().unwrap(), model["version"].as_str().unwrap());
    let extra = format!("\nProvides-Extra: vector\nRequires-Dist: {package}=={version}; extra == \"vector\"\n");
    assert!(metadata.contains(&extra), "{metadata}");
    let described = String::from_utf8(read(&format!("{info}/WHEEL"))).unwrap();
    let name = path.file_stem().unwrap().to_str().unwrap();
    let platforms = name.strip_prefix(&format!("tapps_mcp-{VERSION}-py3-none-")).unwrap();
    let tags: Vec<&str> = described.lines().filter_map(|line| line.strip_prefix("Tag: py3-none-")).collect();
    assert_eq!(tags, platforms.split('.').collect::<Vec<_>>());
    let inside = wheel.file_names().map(|name| name.unwrap().into_owned());
    assert_eq!(listed, inside.collect::<BTreeSet<String>>());
    for name in ["coderef", "tapps-mcp", "tdd-mcp"] {
        let script = wheel.by_name(&format!("tapps_mcp-{VERSION}.data/scripts/{name}")).unwrap();
        assert_eq!(script.unix_mode(), Some(0o100_755), "{name}");
    }
}

/// The shortcut finds the program beside itself, also through links.
#[test]
fn the_shortcut_serves_one_toolset() {
    let folder = folder();
    let (own, path) = (folder.path().join("own"), folder.path().join("path"));
    fs::create_dir(&own).unwrap();
    fs::create_dir(&path).unwrap();
    script(&own, "tapps-mcp", "#!/bin/sh\necho \"$*\"\nexit 7\n");
    fs::copy(root().join("packaging/tdd-mcp"), own.join("tdd-mcp")).unwrap();
    make_program(&own.join("tdd-mcp"));
    std::os::unix::fs::symlink("../own/tdd-mcp", path.join("first")).unwrap();
    std::os::unix::fs::symlink(path.join("first"), path.join("second")).unwrap();
    for shortcut in [own.join("tdd-mcp"), path.join("first"), path.join("second")] {
        let output = run(&shortcut, &["--read-only"]);
        assert_eq!(stdout(&output), "serve --toolsets tdd --read-only\n", "{}", stderr(&output));
        assert_eq!(output.status.code(), Some(7));
    }
}

pub(crate) fn install_wheel(wheel: &Path, home: &Path) {
    let mut make = Command::new("python3");
    make.args(["-m", "venv"]).arg(home);
    succeeded(make);
    let mut install = Command::new(home.join("bin/python"));
    install.args(["-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check"]).arg(wheel);
    succeeded(install);
}

/// The archive holds everything that the programs can be installed with.
fn assert_archive_is_whole(home: &Path) {
    let text = |path: &str| fs::read_to_string(home.join("share").join(path)).unwrap();
    assert_eq!(text("doc/tapps-mcp/LICENSE"), fs::read_to_string(root().join("LICENSE")).unwrap());
    assert!(text("man/man1/tapps-mcp-gate.1").contains(".TH tapps-mcp-gate 1"));
    assert!(text("zsh/site-functions/_tapps-mcp").starts_with("#compdef tapps-mcp"));
    assert!(text("bash-completion/completions/tapps-mcp").contains("complete -F _tapps__mcp "));
    assert!(text("fish/vendor_completions.d/tapps-mcp.fish").contains("complete -c tapps-mcp"));
    assert!(text("doc/tapps-mcp/THIRD-PARTY-LICENSES.md").contains("| serde | "));
    assert!(text("doc/tapps-mcp/tapps-mcp.cdx.json").contains("\"CycloneDX\""));
}

/// Unpacks a bundle as a client does, and speaks to what comes out of it.
fn assert_bundle_serves(bundle: &Path, folder: &Path) {
    let unpacked = folder.join("unpacked");
    zip::ZipArchive::new(fs::File::open(bundle).unwrap()).unwrap().extract(&unpacked).unwrap();
    let manifest = json_of(&unpacked.join("manifest.json"));
    let config = &manifest["server"]["mcp_config"];
    let fill = |value: &Value| {
        let text = value.as_str().unwrap().replace("${__dirname}", unpacked.to_str().unwrap());
        text.replace("${user_config.project_root}", folder.to_str().unwrap())
    };
    make_program(&unpacked.join("bin/tapps-mcp"));
    let mut command = Command::new(fill(&config["command"]));
    command.args(config["args"].as_array().unwrap().iter().map(fill)).current_dir("/");
    let settings = settings();
    command.env("TAPPS_MCP_DATA_DIR", settings.data_dir).env("TAPPS_MCP_CACHE_DIR", settings.cache_dir);
    for (name, value) in config["env"].as_object().unwrap() {
        command.env(name, fill(value));
    }
    let mut server = Process::start(command);
    let greeting = server.handshake();
    assert_eq!(greeting["result"]["serverInfo"]["version"], VERSION, "{greeting}");
    server.end();
}

/// Packs this very program, and runs it from every package that needs no more than Python and tar to be unpacked.
#[test]
fn the_packages_of_this_program_install_and_run() {
    let folder = folder();
    let out = &*OWN_PACKAGES;

    let venv = folder.path().join("venv");
    install_wheel(&file_ending(out, ".whl"), &venv);
    assert_says_version(&venv.join("bin/tapps-mcp"));
    assert_says_version(&venv.join("bin/coderef"));

    let mut unpack = Command::new("tar");
    unpack.arg("-xzf").arg(file_ending(out, ".tar.gz")).arg("-C").arg(folder.path());
    succeeded(unpack);
    let home = folder.path().join(format!("tapps-mcp-{VERSION}-{}", platform()));
    assert_says_version(&home.join("bin/tapps-mcp"));
    assert_says_version(&home.join("bin/coderef"));
    assert_archive_is_whole(&home);

    assert_bundle_serves(&file_ending(out, ".mcpb"), folder.path());
}

#[test]
fn the_description_for_the_registry_names_every_package() {
    let packages = small_packages();
    let server = json_of(&packages.path().join("server.json"));
    assert_valid(&registry_schema(), &server);
    let bundle = file_ending(packages.path(), ".mcpb");
    let name = bundle.file_name().unwrap().to_str().unwrap();
    let downloads = format!("https://github.com/tapps-mcp/tapps-mcp/releases/download/v{VERSION}");
    let named = server["packages"].as_array().unwrap().iter();
    let named: Vec<(&str, &str)> =
        named.map(|one| (one["registryType"].as_str().unwrap(), one["identifier"].as_str().unwrap())).collect();
    assert_eq!(named, [("pypi", "tapps-mcp"), ("npm", "tapps-mcp"), ("mcpb", &*format!("{downloads}/{name}"))]);
    assert_eq!(server["packages"][2]["fileSha256"], digest::sha256(&fs::read(&bundle).unwrap()));
}

#[test]
fn the_bill_of_materials_lists_what_is_locked() {
    let packages = small_packages();
    let bill = json_of(&file_ending(packages.path(), ".cdx.json"));
    assert_eq!(bill["bomFormat"], "CycloneDX");
    assert_eq!(bill["specVersion"], "1.6");
    assert_eq!(bill["version"], 1);
    assert!(bill["serialNumber"].as_str().unwrap().starts_with("urn:uuid:"));
    assert_eq!(bill["metadata"]["component"]["purl"], format!("pkg:cargo/tapps-mcp@{VERSION}"));
    let lock: toml::Table = fs::read_to_string(root().join("Cargo.lock")).unwrap().parse().unwrap();
    let locked: BTreeSet<String> = lock["package"]
        .as_array()
        .unwrap()
        .iter()
        .map(|package| {
            format!("pkg:cargo/{}@{}", package["name"].as_str().unwrap(), package["version"].as_str().unwrap())
        })
        .collect();
    let components = bill["components"].as_array().unwrap();
    let with =
        |kind: &'static str| components.iter().filter(move |one| one["purl"].as_str().unwrap().starts_with(kind));
    let mut crates: BTreeSet<String> = with("pkg:cargo/").map(|one| one["purl"].as_str().unwrap().to_owned()).collect();
    assert_eq!(crates.len(), with("pkg:cargo/").count(), "each is listed once");
    // What the bill is about is described above the components.
    assert!(crates.insert(format!("pkg:cargo/tapps-mcp@{VERSION}")));
    assert_eq!(crates, locked);
    let tools = json_of(&root().join("nix/toolchain.lock.json"));
    let digests: BTreeSet<&str> = tools["artifacts"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|tool| tool["systems"].as_array().unwrap().contains(&json!(platform())))
        .map(|tool| tool["sha256"].as_str().unwrap())
        .collect();
    assert!(digests.len() > 10, "{digests:?}");
    let listed = with("pkg:pypi/").map(|one| one["hashes"][0]["content"].as_str().unwrap());
    assert_eq!(listed.collect::<BTreeSet<_>>(), digests);
    let dependencies = bill["dependencies"].as_array().unwrap().iter();
    let references: BTreeSet<&str> = dependencies.map(|one| one["ref"].as_str().unwrap()).collect();
    assert_eq!(references.len(), components.len() + 1);
}

#[test]
fn the_same_programs_give_the_same_bytes() {
    let folder = folder();
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    succeeded(pack(&SMALL_PROGRAMS, &first));
    // Other files, other folder, other zone, another language: none of it is told.
    let copied = folder.path().join("copied");
    copy_tree(&SMALL_PROGRAMS, &copied);
    let mut again = pack(&copied, &second);
    again.current_dir(folder.path()).env("TZ", "Asia/Kathmandu").env("LC_ALL", "C.UTF-8").env("PYTHONHASHSEED", "7");
    succeeded(again);
    assert_eq!(names(&first), names(&second));
    for name in names(&first) {
        assert!(fs::read(first.join(&name)).unwrap() == fs::read(second.join(&name)).unwrap(), "{name} differs");
    }
    let later = folder.path().join("later");
    let mut other = pack(&copied, &later);
    other.env("SOURCE_DATE_EPOCH", "1700000000");
    assert_ne!(
        succeeded(other),
        fs::read_to_string(first.join("SHA256SUMS")).unwrap(),
        "the time is that of the release"
    );
}

#[test]
fn programs_that_do_not_fit_are_refused() {
    let folder = folder();
    let refused = |programs: &Path, platform: &str| {
        let mut command = release(&["--platform", platform]);
        command.arg("--programs").arg(programs).arg("--out").arg(folder.path().join("out"));
        let output = command.stdin(Stdio::null()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
        stderr(&output)
    };
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    assert!(refused(&empty, "x86_64-linux").contains("tapps-mcp is missing: build the programs first"));
    for name in ["tapps-mcp", "coderef"] {
        script(&empty, name, "#!/bin/sh\n");
    }
    assert!(refused(&empty, "x86_64-linux").contains("is not an ELF file"));
    assert!(refused(&empty, "aarch64-darwin").contains("is not a Mach-O file"));
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        let said = refused(&SMALL_PROGRAMS, "aarch64-linux");
        assert!(said.contains("tapps-mcp is a program for x86_64, not for aarch64-linux"), "{said}");
    }
}

#[test]
fn dpkg_reads_the_package() {
    let Some(dpkg) = systems::require(System::Dpkg) else { return };
    let folder = folder();
    succeeded(pack(&SMALL_PROGRAMS, folder.path()));
    let package = file_ending(folder.path(), ".deb");
    let ask = |arguments: &[&str]| {
        let mut command = Command::new(&dpkg);
        command.arg(arguments[0]).arg(&package).args(&arguments[1..]);
        succeeded(command)
    };
    ask(&["--info"]);
    let processor = if cfg!(target_arch = "x86_64") { "amd64" } else { "arm64" };
    let fields = ask(&["--field", "Package", "Version", "Architecture"]);
    assert_eq!(fields, format!("Package: tapps-mcp\nVersion: {VERSION}\nArchitecture: {processor}\n"));
    assert!(ask(&["--field", "Depends"]).contains("libc6 (>= 2."), "a program for glibc says which");
    let unpacked = folder.path().join("unpacked");
    ask(&["--extract", unpacked.to_str().unwrap()]);
    assert_eq!(run(&unpacked.join("usr/bin/coderef"), &["exit", "5"]).status.code(), Some(5));
    assert!(unpacked.join("usr/share/doc/tapps-mcp/copyright").is_file());
    assert!(unpacked.join("usr/share/man/man1/tapps-mcp.1.gz").is_file());
}

#[test]
fn every_file_of_a_release_is_signed() {
    let Some(minisign) = systems::require(System::Minisign) else { return };
    let folder = folder();
    let (public, secret, out) = (folder.path().join("key.pub"), folder.path().join("key"), folder.path().join("out"));
    let mut generate = Command::new(minisign);
    generate.args(["-G", "-W", "-p"]).arg(&public).arg("-s").arg(&secret);
    succeeded(generate);
    let mut signed = pack(&SMALL_PROGRAMS, &out);
    signed.arg("--sign").arg(&secret);
    succeeded(signed);
    let key = minisign::PublicKey::from_file(&public).unwrap();
    let files: BTreeSet<String> = names(&out).into_iter().filter(|name| !name.ends_with(".minisig")).collect();
    assert_eq!(names(&out).len(), 2 * files.len());
    for name in files {
        let mut content = fs::read(out.join(&name)).unwrap();
        let signature = minisign::SignatureBox::from_file(out.join(format!("{name}.minisig"))).unwrap();
        let comment = signature.trusted_comment().unwrap();
        assert!(comment.ends_with(&format!("file:{name}")), "{comment}");
        let verify = |content: &[u8]| {
            minisign::verify(&key, &signature, std::io::Cursor::new(content), true, false, false).is_ok()
        };
        assert!(verify(&content), "{name}");
        content.push(b'\n');
        assert!(!verify(&content), "{name}");
    }
}
