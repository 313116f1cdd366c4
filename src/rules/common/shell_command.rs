//! Commands of a shell made from values.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "shell-command",
    aliases: &["gosec:G204", "gosec:G702"],
    category: Category::Security,
    severity: Severity::High,
    cost: 3_000,
    blocking: false,
    summary: "A value inside the text of a command can be a command itself.",
    help: "Call the program without a shell, with each argument apart.",
    explanation: "A shell reads the text it is given: a `;` in a value ends the command, and what follows is run as \
        well. `exec.Command(\"tar\", \"-xf\", name)` starts the program itself and hands over the name as \
        it is, whatever stands in it.",
    examples: &[
        Example {
            path: "example.go",
            bad: r#"package pack

import "os/exec"

func Unpack(name string) error {
	return exec.Command("sh", "-c", "tar -xf "+name).Run()
}
"#,
            good: r#"package pack

import "os/exec"

func Unpack(name string) error {
	return exec.Command("tar", "-xf", name).Run()
}
"#,
        },
        Example {
            path: "example.rs",
            bad: r#"use std::process::Command;

pub fn unpack(name: &str) -> std::io::Result<std::process::Output> {
    Command::new("sh").arg("-c").arg(format!("tar -xf {name}")).output()
}
"#,
            good: r#"use std::process::Command;

pub fn unpack(name: &str) -> std::io::Result<std::process::Output> {
    Command::new("tar").arg("-xf").arg(name).output()
}
"#,
        },
        Example {
            path: "example.c",
            bad: r#"#include <stdio.h>
#include <stdlib.h>

int unpack(const char *name) {
    char command[256];
    snprintf(command, sizeof command, "tar -xf %s", name);
    return system(command);
}
"#,
            good: r#"#include <spawn.h>

extern char **environ;

int unpack(char *name) {
    char *arguments[] = {"tar", "-xf", name, 0};
    int process;
    return posix_spawnp(&process, "tar", 0, 0, arguments, environ);
}
"#,
        },
        Example {
            path: "example.sh",
            bad: r#"#!/bin/sh
su -c "backup $1" archive
"#,
            good: r#"#!/bin/sh
su -c 'backup "$1"' archive -- sh "$1"
"#,
        },
    ],
    cwe: Some("CWE-78"),
    since: "0.1.0",
};
