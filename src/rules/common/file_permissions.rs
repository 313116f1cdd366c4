//! Files and folders that everybody may change.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "file-permissions",
    aliases: &["gosec:G301", "gosec:G302", "gosec:G306"],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "Everybody on the machine may change what these permissions are given to.",
    help: "Use 0o755 for folders and 0o644 for files, or less where the content is private.",
    explanation: "The last digit of the permissions is for everybody else on the machine; with 2 in it anybody may \
        write. A folder of 0777 lets them replace files in it. Folders need 0o755 and files 0o644; what is \
        private 0o700 and 0o600.",
    examples: &[
        Example {
            path: "example.go",
            bad: r#"package cache

import "os"

func Publish(folder string) error {
	return os.Chmod(folder, 0777)
}
"#,
            good: r#"package cache

import "os"

func Publish(folder string) error {
	return os.Chmod(folder, 0o755)
}
"#,
        },
        Example {
            path: "example.rs",
            bad: "use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

pub fn open_up(folder: &str) -> std::io::Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(0o777))
}
",
            good: "use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

pub fn open_up(folder: &str) -> std::io::Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(0o755))
}
",
        },
        Example {
            path: "example.c",
            bad: "#include <sys/stat.h>

int publish(const char *path) {
    return chmod(path, 0777);
}
",
            good: "#include <sys/stat.h>

int publish(const char *path) {
    return chmod(path, 0755);
}
",
        },
        Example {
            path: "example.sh",
            bad: r#"#!/bin/sh
mkdir -p cache
chmod 777 cache
"#,
            good: r#"#!/bin/sh
mkdir -p cache
chmod 755 cache
"#,
        },
    ],
    cwe: Some("CWE-732"),
    since: "0.1.0",
};
