//! Functions that are called with a row of values nobody can tell apart.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "too-many-parameters",
    aliases: &["pylint:too-many-positional-arguments", "ruff:PLR0917"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 400,
    blocking: false,
    summary: "A function takes more than 7 parameters by position.",
    help: "Group what belongs together in an object, or make the rest keyword-only with `*`.",
    explanation: "With more than seven arguments by position a call cannot be read without the definition beside it, \
        and two of them are swapped before anybody notices. Put what belongs together into one object, or make the \
        rest keyword-only with `*`, so that each call names them. In Go, where each argument is one by position, neither the \
        receiver nor a first `context.Context` counts.",
    examples: &[
        Example {
            path: "example.py",
            bad: "def send(host, port, user, password, sender, recipient, subject, body):
    return (host, port, user, password, sender, recipient, subject, body)
",
            good: "def send(server, message, *, retries=3, timeout=10.0):
    return (server, message, retries, timeout)
",
        },
        Example {
            path: "example.go",
            bad: "package mail

func Send(host string, port int, user, password, sender, recipient, subject, body string) error {
	return deliver(host, port, user, password, sender, recipient, subject, body)
}
",
            good: "package mail

func Send(server Server, message Message) error {
	return deliver(server, message)
}
",
        },
        Example {
        path: "example.rs",
        bad: "pub fn send(host: &str, port: u16, user: &str, password: &str, sender: &str, recipient: &str, subject: &str, body: &str) {
    deliver(host, port, user, password, sender, recipient, subject, body);
}
",
        good: "pub fn send(server: &Server, message: &Message) {
    deliver(server, message);
}
",
    },
        Example {
            path: "example.java",
            bad: r#"class Shop {
    void ship(String name, String street, String town, String country, int weight, int width, int height, int depth) {
    }
}
"#,
            good: r#"class Shop {
    void ship(Address address, Parcel parcel) {
    }
}
"#,
        },
        Example {
            path: "example.c",
            bad: "int book(int room, int day, int month, int year, int guests, int beds, int price, int paid);

int book(int room, int day, int month, int year, int guests, int beds, int price, int paid) {
    return room + day + month + year + guests + beds + price + paid;
}
",
            good: "int book(const struct booking *booking) {
    return booking->price * booking->guests;
}
",
        },
        Example {
            path: "example.sh",
            bad: r#"#!/bin/sh
add_user() {
    echo "$1 $2 $3 $4 $5 $6 $7 $8"
}
"#,
            good: r#"#!/bin/sh
add_user() {
    while IFS== read -r name value; do
        echo "$name is $value"
    done < "$1"
}
"#,
        },
    ],
    cwe: None,
    since: "0.1.0",
};
