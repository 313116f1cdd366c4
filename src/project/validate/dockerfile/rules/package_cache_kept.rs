//! Caches of package managers left in the image.

use super::super::shell::ShellCommand;
use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-package-cache-kept",
    aliases: &[
        "hadolint:DL3009",
        "hadolint:DL3019",
        "hadolint:DL3032",
        "hadolint:DL3036",
        "hadolint:DL3040",
        "hadolint:DL3060",
    ],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "Package lists and caches that the same instruction does not remove stay in the image for good.",
    help: "remove them in the same RUN, or use a cache mount",
    explanation: "Lists and archives that a package manager leaves behind stay in their layer for good; a later `RUN` \
        that deletes them only hides them. Remove them in the same instruction (`rm -rf /var/lib/apt/lists/*`, `apk \
        add --no-cache`, `dnf clean all`) or keep them out of the image with a cache mount.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8
RUN apt-get update && apt-get install -y curl=7.88.1-10
",
        good: "FROM debian:12.8
RUN apt-get update && apt-get install -y curl=7.88.1-10 && rm -rf /var/lib/apt/lists/*
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_package_cache_kept;

/// A command that fills a cache, where the cache is, and how it is emptied.
struct PackageCache {
    fills: fn(&ShellCommand) -> bool,
    /// `~` is the home of any user.
    folders: &'static [&'static str],
    empties: fn(&ShellCommand) -> bool,
    advice: &'static str,
}

const CACHES: &[PackageCache] = &[
    PackageCache {
        fills: |c| c.runs_action(&["apt-get", "apt"], &["update"]),
        folders: &["/var/lib/apt"],
        empties: |_| false,
        advice: "end with `rm -rf /var/lib/apt/lists/*`",
    },
    PackageCache {
        fills: |c| c.runs_action(&["apk"], &["add"]) && !c.has_argument(&["--no-cache"]),
        folders: &["/var/cache/apk", "/etc/apk/cache"],
        empties: |c| c.runs_action(&["apk"], &["cache"]),
        advice: "add `--no-cache`",
    },
    PackageCache {
        fills: |c| c.runs_action(&["yum"], &["install"]),
        folders: &["/var/cache/yum", "/var/cache/libdnf5", "/var/cache/dnf"],
        empties: |c| c.runs_action(&["yum", "dnf"], &["clean"]),
        advice: "end with `yum clean all`",
    },
    PackageCache {
        fills: |c| c.runs_action(&["dnf", "microdnf"], &["install"]),
        folders: &["/var/cache/dnf", "/var/cache/libdnf5", "/var/cache/yum"],
        empties: |c| c.runs_action(&["dnf", "microdnf", "yum"], &["clean"]),
        advice: "end with `dnf clean all`",
    },
    PackageCache {
        fills: |c| c.runs_action(&["zypper"], &["install", "in"]),
        folders: &["/var/cache/zypp"],
        empties: |c| c.runs_action(&["zypper"], &["clean", "cc"]),
        advice: "end with `zypper clean`",
    },
    PackageCache {
        fills: |c| c.runs_action(&["yarn"], &["install"]) || c.words == ["yarn"],
        folders: &["/usr/local/share/.cache", "~/.cache"],
        empties: |c| c.runs_action(&["yarn"], &["cache"]),
        advice: "end with `yarn cache clean`",
    },
];

fn check_package_cache_kept(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for run in file.instructions_named("RUN") {
        let mounts = run.cache_mounts();
        let removed = |folder: &str| {
            let names = |word: &&String| lies_in(word.trim_end_matches(['*', '/']), folder);
            run.commands.iter().any(|c| c.name() == "rm" && c.arguments().iter().any(|word| names(&word)))
        };
        for cache in CACHES {
            let Some(command) = run.commands.iter().find(|command| (cache.fills)(command)) else { continue };
            let mounted = cache.folders.iter().any(|folder| mounts.iter().any(|at| lies_in(at, folder)));
            let emptied = run.commands.iter().any(cache.empties) || cache.folders.iter().any(|folder| removed(folder));
            if !mounted && !emptied {
                sink.report_finding(
                    FileLocation::line(command.line),
                    format!("`{}` leaves its cache in the image: {}", command.name(), cache.advice),
                );
            }
        }
    }
}

/// True for a folder, and for what is below it.
fn lies_in(path: &str, folder: &str) -> bool {
    match folder.strip_prefix('~') {
        Some(below) => beneath_home(path).is_some_and(|path| path.starts_with(below)),
        None => path.starts_with(folder),
    }
}

/// What follows the home of a user, with its slash.
fn beneath_home(path: &str) -> Option<&str> {
    let rest = ["~", "$HOME", "${HOME}", "/root"].into_iter().find_map(|home| path.strip_prefix(home));
    let rest =
        rest.or_else(|| path.strip_prefix("/home/").and_then(|rest| rest.find('/').and_then(|at| rest.get(at..))));
    rest.filter(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_dockerfile_rule(
            &super::RULE,
            super::RUN,
            &[
                ("FROM a:1\nRUN apt-get update\nRUN apk add a=1\nRUN yum -y install a-1\n", &[2, 3, 4]),
                (
                    "FROM a:1\nRUN apt-get update && rm -rf /var/lib/apt/lists/*\nRUN dnf -y install a-1 && dnf clean all\n",
                    &[],
                ),
                (
                    "FROM a:1\nRUN yarn install\nRUN yarn install && rm -rf ~/.cache\nRUN yarn install && rm -rf /home/node/.cache/yarn\n",
                    &[2],
                ),
                ("FROM a:1\nRUN yarn install && rm -rf ~/.config\nRUN yarn install && rm -rf /srv/.cache\n", &[2, 3]),
                (
                    "FROM a:1\nRUN --mount=type=cache,target=/var/cache/apt --mount=type=cache,target=/var/lib/apt apt-get update\n",
                    &[],
                ),
            ],
        );
    }
}
