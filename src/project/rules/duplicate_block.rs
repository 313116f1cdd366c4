//! The same run of statements in two places of the project.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "duplicate-block",
    aliases: &["pylint:duplicate-code"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "At least 6 consecutive statements stand in the project a second time.",
    help: "Move the common statements into one function, and call it from both places.",
    explanation: "Statements that stand twice have to be corrected twice, and sooner or later only one copy is. Six \
        statements and more in a row that are the same but for layout and comments are reported: in one file at the second \
        place, and in two files in both, since neither can be told to be the copy. Imports do not count, nor do copies in \
        vendored or generated files and in data of tests. `coderef duplicates` shows the families with a common home.",
    examples: &[
        Example {
            path: "example.py",
            bad: r#"def register(form):
    name = form["name"].strip()
    email = form["email"].strip().lower()
    if not name:
        raise ValueError("name is missing")
    if "@" not in email:
        raise ValueError("email is invalid")
    record = {"name": name, "email": email}
    save(record)
    notify(record)


def update(form):
    check_owner(form)
    name = form["name"].strip()
    email = form["email"].strip().lower()
    if not name:
        raise ValueError("name is missing")
    if "@" not in email:
        raise ValueError("email is invalid")
    record = {"name": name, "email": email}
    save(record)
    notify(record)
"#,
            good: r#"def register(form):
    store(form)


def update(form):
    check_owner(form)
    store(form)


def store(form):
    name = form["name"].strip()
    email = form["email"].strip().lower()
    if not name:
        raise ValueError("name is missing")
    if "@" not in email:
        raise ValueError("email is invalid")
    record = {"name": name, "email": email}
    save(record)
    notify(record)
"#,
        },
        Example {
            path: "example.ts",
            bad: r#"export function register(form: Form): void {
  const name = form.get("name").trim();
  const email = form.get("email").trim().toLowerCase();
  if (name === "") {
    throw new Error("name is missing");
  }
  const record = { name, email };
  save(record);
  notify(record);
}

export function update(form: Form): void {
  checkOwner(form);
  const name = form.get("name").trim();
  const email = form.get("email").trim().toLowerCase();
  if (name === "") {
    throw new Error("name is missing");
  }
  const record = { name, email };
  save(record);
  notify(record);
}
"#,
            good: r#"export function register(form: Form): void {
  store(form);
}

export function update(form: Form): void {
  checkOwner(form);
  store(form);
}

function store(form: Form): void {
  const name = form.get("name").trim();
  const email = form.get("email").trim().toLowerCase();
  if (name === "") {
    throw new Error("name is missing");
  }
  const record = { name, email };
  save(record);
  notify(record);
}
"#,
        },
        Example {
            path: "example.go",
            bad: r#"package shop

func Register(form Form) {
	name := strings.TrimSpace(form.Get("name"))
	email := strings.ToLower(form.Get("email"))
	if name == "" {
		panic("name is missing")
	}
	record := Record{Name: name, Email: email}
	save(record)
	notify(record)
}

func Update(form Form) {
	checkOwner(form)
	name := strings.TrimSpace(form.Get("name"))
	email := strings.ToLower(form.Get("email"))
	if name == "" {
		panic("name is missing")
	}
	record := Record{Name: name, Email: email}
	save(record)
	notify(record)
}
"#,
            good: r#"package shop

func Register(form Form) {
	store(form)
}

func Update(form Form) {
	checkOwner(form)
	store(form)
}

func store(form Form) {
	name := strings.TrimSpace(form.Get("name"))
	email := strings.ToLower(form.Get("email"))
	if name == "" {
		panic("name is missing")
	}
	record := Record{Name: name, Email: email}
	save(record)
	notify(record)
}
"#,
        },
    ],
    cwe: None,
    since: "0.1.0",
};
