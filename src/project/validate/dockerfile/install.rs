//! What package managers are asked to install, and whether a version is fixed.

use super::shell::ShellCommand;

/// A package manager with what is known of its command line.
#[derive(Debug)]
pub(super) struct Manager {
    pub(super) name: &'static str,
    programs: &'static [&'static str],
    actions: &'static [&'static str],
    /// Flags that take the next word.
    valued: &'static [&'static str],
    /// Flags by which versions come from elsewhere.
    excused: &'static [&'static str],
    is_pinned: fn(&str) -> bool,
    /// How a version is written, for messages.
    pub(super) example: &'static str,
}

const APT: Manager = Manager {
    name: "apt-get",
    programs: &["apt-get", "apt"],
    actions: &["install"],
    valued: &["-t", "--target-release", "-o", "-c", "--option", "--config-file"],
    excused: &[],
    is_pinned: |package| package.contains(['=', '/']) || package.ends_with(".deb"),
    example: "package=1.2.3-1",
};

const MANAGERS: &[Manager] = &[
    APT,
    Manager {
        name: "apk",
        programs: &["apk"],
        actions: &["add"],
        valued: &["-t", "--virtual", "-X", "--repository", "-p", "--root", "--arch", "--keys-dir", "--wait"],
        excused: &[],
        is_pinned: |package| package.contains(['=', '~', '<', '>']) || package.ends_with(".apk"),
        example: "package=1.2.3-r0",
    },
    Manager {
        name: "yum",
        programs: &["yum", "dnf", "microdnf"],
        actions: &["install"],
        valued: &["-c", "--config", "--enablerepo", "--disablerepo", "--installroot", "--setopt", "--releasever"],
        excused: &[],
        is_pinned: has_dashed_version,
        example: "package-1.2.3",
    },
    Manager {
        name: "zypper",
        programs: &["zypper"],
        actions: &["install", "in"],
        valued: &["-r", "--repo", "--from", "-t", "--type"],
        excused: &[],
        is_pinned: |package| package.contains(['=', '<', '>']) || package.ends_with(".rpm"),
        example: "package=1.2.3",
    },
    Manager {
        name: "pip",
        programs: &["pip", "pip2", "pip3", "pipx"],
        actions: &["install"],
        valued: &[
            "-i",
            "--index-url",
            "--extra-index-url",
            "-t",
            "--target",
            "-f",
            "--find-links",
            "--trusted-host",
            "--root",
            "--prefix",
            "-b",
            "--build",
            "--src",
            "--progress-bar",
            "--python-version",
            "--platform",
            "--abi",
            "--upgrade-strategy",
            "--proxy",
            "--timeout",
            "--retries",
            "--cache-dir",
            "--only-binary",
            "--no-binary",
            "--config-settings",
            "--python",
            "--log",
            "--implementation",
            "--exists-action",
            "--cert",
            "--client-cert",
        ],
        excused: &["-r", "--requirement", "-c", "--constraint", "-e", "--editable"],
        is_pinned: |package| {
            package.contains(['=', '<', '>', '~', '!', '@'])
                || package.starts_with(['.', '/'])
                || [".whl", ".tar.gz", ".zip"].iter().any(|ending| package.ends_with(ending))
        },
        example: "package==1.2.3",
    },
    Manager {
        name: "npm",
        programs: &["npm", "pnpm", "yarn"],
        actions: &["install", "i", "add"],
        valued: &["--prefix", "--registry", "--loglevel", "--cwd", "-C", "--dir", "--cache", "--tag"],
        excused: &[],
        is_pinned: is_npm_pinned,
        example: "package@1.2.3",
    },
    Manager {
        name: "gem",
        programs: &["gem"],
        actions: &["install", "i"],
        valued: &["-i", "--install-dir", "-n", "--bindir", "--source", "-s", "--platform"],
        excused: &["-v", "--version", "-g", "--file"],
        is_pinned: |package| package.contains(':') || package.ends_with(".gem"),
        example: "package:1.2.3",
    },
    Manager {
        name: "go",
        programs: &["go"],
        actions: &["install", "get"],
        valued: &["-ldflags", "-tags", "-p", "-mod", "-o", "-gcflags"],
        excused: &[],
        is_pinned: |package| package.starts_with(['.', '/']) || package.contains('@') && !package.ends_with("@latest"),
        example: "package@v1.2.3",
    },
];

/// The name of a Python package manager run as a module, as `python -m pip`.
fn is_python(program: &str) -> bool {
    program.starts_with("python")
}

/// One request to install packages.
#[derive(Debug)]
pub(super) struct Installation<'c> {
    pub(super) manager: &'static Manager,
    packages: Vec<&'c str>,
    excused: bool,
}

impl<'c> Installation<'c> {
    /// What a command installs, if it does.
    pub(super) fn from_command(command: &'c ShellCommand) -> Option<Self> {
        let mut words: Vec<&str> = command.words.iter().map(String::as_str).collect();
        let module = words.iter().position(|word| *word == "-m").filter(|_| is_python(command.name()));
        if let Some(at) = module {
            words.drain(..=at);
        }
        let program = words.first()?.rsplit('/').next()?;
        let versioned = |known: &str| {
            known == "pip"
                && program.strip_prefix("pip").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
        };
        let manager = MANAGERS.iter().find(|manager| manager.programs.contains(&program) || versioned(manager.name))?;
        let mut rest = words.into_iter().skip(1);
        let mut packages = Vec::new();
        let (mut acting, mut excused) = (false, false);
        while let Some(word) = rest.next() {
            let name = word.split('=').next().unwrap_or(word);
            if word.starts_with('-') {
                excused |= manager.excused.contains(&name)
                    || manager.excused.iter().any(|e| e.len() == 2 && !word.starts_with("--") && word.starts_with(e));
                if manager.valued.contains(&name) && !word.contains('=') {
                    rest.next();
                }
            } else if !acting {
                if !manager.actions.contains(&word) {
                    return None;
                }
                acting = true;
            } else {
                packages.push(word);
            }
        }
        acting.then_some(Self { manager, packages, excused })
    }

    /// The packages that may be another version tomorrow.
    pub(super) fn unpinned(&self) -> Vec<&'c str> {
        if self.excused {
            return Vec::new();
        }
        self.packages.iter().filter(|package| !(self.manager.is_pinned)(package)).copied().collect()
    }
}

fn has_dashed_version(package: &str) -> bool {
    package.split('-').skip(1).any(|part| part.starts_with(|c: char| c.is_ascii_digit() || c == '$'))
}

fn is_npm_pinned(package: &str) -> bool {
    let local = package.starts_with(['.', '/', '~']) || package.starts_with("file:");
    let fetched = [".tgz", ".tar.gz", ".tar"].iter().any(|ending| package.ends_with(ending)) || package.contains('#');
    let scoped = package.strip_prefix('@').unwrap_or(package);
    local || fetched || scoped.contains('@') && !scoped.ends_with("@latest")
}

#[cfg(test)]
mod tests {
    use super::super::shell;
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("apt-get install -t x -y a=1 b c/stable ./d.deb", &["b"])]
    #[case("apt-get -qq install $P ${P}=1", &["$P"])]
    #[case("apk add --virtual .b a~1 b", &["b"])]
    #[case("yum install -y a-b a-1.0", &["a-b"])]
    #[case("zypper -n in a>=1 b", &["b"])]
    #[case("pip install -U pip a==1 'b<2' git+https://x/y git+https://x/y@1 .", &["pip", "git+https://x/y"])]
    #[case("pip3.12 install -t /x a", &["a"])]
    #[case("pip install -rreq.txt a", &[])]
    #[case("pip install -c c.txt a", &[])]
    #[case("python3 -m pip install a", &["a"])]
    #[case("npm install -g @a/b @a/c@1 d@latest ./e", &["@a/b", "d@latest"])]
    #[case("npm install", &[])]
    #[case("npm run install", &[])]
    #[case("gem install a b:1", &["a"])]
    #[case("gem install a -v 1", &[])]
    #[case("go install a/b a/c@v1 ./...", &["a/b"])]
    fn unpinned(#[case] text: &str, #[case] expected: &[&str]) {
        let commands = shell::parse_shell_commands(&text.replace(">=", "\\>="), &|_| 1);
        let found = Installation::from_command(&commands[0]).map(|i| i.unpinned()).unwrap_or_default();
        assert_eq!(found, expected);
    }
}
