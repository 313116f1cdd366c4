//! Functions too long to take in.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "oversize-block",
    aliases: &["pylint:too-many-statements", "ruff:PLR0915", "eslint:max-statements"],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "A function holds more than 60 logical lines.",
    help: "Move coherent parts of the function into functions of their own.",
    explanation: "A function of more than 60 logical lines does several things, and none of them can be tested or \
        understood alone. Move coherent parts into functions with names of their own. In Python the first line too \
        many costs 300 and each further one a little more; in scripts and Go each statement above 60 costs 30.",
    examples: &[
        Example {
            path: "example.py",
            bad: "def configure(c):
    c.a1 = 1; c.a2 = 2; c.a3 = 3; c.a4 = 4; c.a5 = 5; c.a6 = 6; c.a7 = 7; c.a8 = 8; c.a9 = 9; c.a10 = 10
    c.b1 = 1; c.b2 = 2; c.b3 = 3; c.b4 = 4; c.b5 = 5; c.b6 = 6; c.b7 = 7; c.b8 = 8; c.b9 = 9; c.b10 = 10
    c.c1 = 1; c.c2 = 2; c.c3 = 3; c.c4 = 4; c.c5 = 5; c.c6 = 6; c.c7 = 7; c.c8 = 8; c.c9 = 9; c.c10 = 10
    c.d1 = 1; c.d2 = 2; c.d3 = 3; c.d4 = 4; c.d5 = 5; c.d6 = 6; c.d7 = 7; c.d8 = 8; c.d9 = 9; c.d10 = 10
    c.e1 = 1; c.e2 = 2; c.e3 = 3; c.e4 = 4; c.e5 = 5; c.e6 = 6; c.e7 = 7; c.e8 = 8; c.e9 = 9; c.e10 = 10
    c.f1 = 1; c.f2 = 2; c.f3 = 3; c.f4 = 4; c.f5 = 5; c.f6 = 6; c.f7 = 7; c.f8 = 8; c.f9 = 9; c.f10 = 10
    c.g1 = 1; c.g2 = 2
",
            good: "def configure(c):
    configure_network(c)
    configure_storage(c)
    configure_logging(c)
",
        },
        Example {
            path: "example.ts",
            bad: "export function configure(c: Config): void {
  c.a1 = 1; c.a2 = 2; c.a3 = 3; c.a4 = 4; c.a5 = 5; c.a6 = 6; c.a7 = 7; c.a8 = 8; c.a9 = 9; c.a10 = 10;
  c.b1 = 1; c.b2 = 2; c.b3 = 3; c.b4 = 4; c.b5 = 5; c.b6 = 6; c.b7 = 7; c.b8 = 8; c.b9 = 9; c.b10 = 10;
  c.c1 = 1; c.c2 = 2; c.c3 = 3; c.c4 = 4; c.c5 = 5; c.c6 = 6; c.c7 = 7; c.c8 = 8; c.c9 = 9; c.c10 = 10;
  c.d1 = 1; c.d2 = 2; c.d3 = 3; c.d4 = 4; c.d5 = 5; c.d6 = 6; c.d7 = 7; c.d8 = 8; c.d9 = 9; c.d10 = 10;
  c.e1 = 1; c.e2 = 2; c.e3 = 3; c.e4 = 4; c.e5 = 5; c.e6 = 6; c.e7 = 7; c.e8 = 8; c.e9 = 9; c.e10 = 10;
  c.f1 = 1; c.f2 = 2; c.f3 = 3; c.f4 = 4; c.f5 = 5; c.f6 = 6; c.f7 = 7; c.f8 = 8; c.f9 = 9; c.f10 = 10;
  c.g1 = 1;
}
",
            good: "export function configure(c: Config): void {
  configureNetwork(c);
  configureStorage(c);
  configureLogging(c);
}
",
        },
        Example {
            path: "example.go",
            bad: r#"package shop

func Configure(c *Config) {
	c.A1 = 1
	c.A2 = 2
	c.A3 = 3
	c.A4 = 4
	c.A5 = 5
	c.A6 = 6
	c.A7 = 7
	c.A8 = 8
	c.A9 = 9
	c.A10 = 10
	c.B1 = 1
	c.B2 = 2
	c.B3 = 3
	c.B4 = 4
	c.B5 = 5
	c.B6 = 6
	c.B7 = 7
	c.B8 = 8
	c.B9 = 9
	c.B10 = 10
	c.C1 = 1
	c.C2 = 2
	c.C3 = 3
	c.C4 = 4
	c.C5 = 5
	c.C6 = 6
	c.C7 = 7
	c.C8 = 8
	c.C9 = 9
	c.C10 = 10
	c.D1 = 1
	c.D2 = 2
	c.D3 = 3
	c.D4 = 4
	c.D5 = 5
	c.D6 = 6
	c.D7 = 7
	c.D8 = 8
	c.D9 = 9
	c.D10 = 10
	c.E1 = 1
	c.E2 = 2
	c.E3 = 3
	c.E4 = 4
	c.E5 = 5
	c.E6 = 6
	c.E7 = 7
	c.E8 = 8
	c.E9 = 9
	c.E10 = 10
	c.F1 = 1
	c.F2 = 2
	c.F3 = 3
	c.F4 = 4
	c.F5 = 5
	c.F6 = 6
	c.F7 = 7
	c.F8 = 8
	c.F9 = 9
	c.F10 = 10
	c.G1 = 1
}
"#,
            good: r#"package shop

func Configure(c *Config) {
	configureNetwork(c)
	configureStorage(c)
	configureLogging(c)
}
"#,
        },
        Example {
            path: "example.rs",
            bad: "pub fn configure(c: &mut Config) {
    c.a1 = 1;
    c.a2 = 2;
    c.a3 = 3;
    c.a4 = 4;
    c.a5 = 5;
    c.a6 = 6;
    c.a7 = 7;
    c.a8 = 8;
    c.a9 = 9;
    c.a10 = 10;
    c.b1 = 1;
    c.b2 = 2;
    c.b3 = 3;
    c.b4 = 4;
    c.b5 = 5;
    c.b6 = 6;
    c.b7 = 7;
    c.b8 = 8;
    c.b9 = 9;
    c.b10 = 10;
    c.c1 = 1;
    c.c2 = 2;
    c.c3 = 3;
    c.c4 = 4;
    c.c5 = 5;
    c.c6 = 6;
    c.c7 = 7;
    c.c8 = 8;
    c.c9 = 9;
    c.c10 = 10;
    c.d1 = 1;
    c.d2 = 2;
    c.d3 = 3;
    c.d4 = 4;
    c.d5 = 5;
    c.d6 = 6;
    c.d7 = 7;
    c.d8 = 8;
    c.d9 = 9;
    c.d10 = 10;
    c.e1 = 1;
    c.e2 = 2;
    c.e3 = 3;
    c.e4 = 4;
    c.e5 = 5;
    c.e6 = 6;
    c.e7 = 7;
    c.e8 = 8;
    c.e9 = 9;
    c.e10 = 10;
    c.f1 = 1;
    c.f2 = 2;
    c.f3 = 3;
    c.f4 = 4;
    c.f5 = 5;
    c.f6 = 6;
    c.f7 = 7;
    c.f8 = 8;
    c.f9 = 9;
    c.f10 = 10;
    c.g1 = 1;
}
",
            good: "pub fn configure(c: &mut Config) {
    configure_network(c);
    configure_storage(c);
    configure_logging(c);
}
",
        },
        Example {
            path: "example.java",
            bad: r#"class Shop {
    void configure(Config c) {
        c.a1 = 1; c.a2 = 2; c.a3 = 3; c.a4 = 4; c.a5 = 5; c.a6 = 6; c.a7 = 7; c.a8 = 8; c.a9 = 9; c.a10 = 10;
        c.b1 = 1; c.b2 = 2; c.b3 = 3; c.b4 = 4; c.b5 = 5; c.b6 = 6; c.b7 = 7; c.b8 = 8; c.b9 = 9; c.b10 = 10;
        c.c1 = 1; c.c2 = 2; c.c3 = 3; c.c4 = 4; c.c5 = 5; c.c6 = 6; c.c7 = 7; c.c8 = 8; c.c9 = 9; c.c10 = 10;
        c.d1 = 1; c.d2 = 2; c.d3 = 3; c.d4 = 4; c.d5 = 5; c.d6 = 6; c.d7 = 7; c.d8 = 8; c.d9 = 9; c.d10 = 10;
        c.e1 = 1; c.e2 = 2; c.e3 = 3; c.e4 = 4; c.e5 = 5; c.e6 = 6; c.e7 = 7; c.e8 = 8; c.e9 = 9; c.e10 = 10;
        c.f1 = 1; c.f2 = 2; c.f3 = 3; c.f4 = 4; c.f5 = 5; c.f6 = 6; c.f7 = 7; c.f8 = 8; c.f9 = 9; c.f10 = 10;
        c.g1 = 1;
    }
}
"#,
            good: r#"class Shop {
    void configure(Config c) {
        configureNetwork(c);
        configureStorage(c);
        configureLogging(c);
    }
}
"#,
        },
        Example {
            path: "example.c",
            bad: "void configure(struct config *c) {
    c->a1 = 1; c->a2 = 2; c->a3 = 3; c->a4 = 4; c->a5 = 5; c->a6 = 6; c->a7 = 7; c->a8 = 8; c->a9 = 9; c->a10 = 10;
    c->b1 = 1; c->b2 = 2; c->b3 = 3; c->b4 = 4; c->b5 = 5; c->b6 = 6; c->b7 = 7; c->b8 = 8; c->b9 = 9; c->b10 = 10;
    c->c1 = 1; c->c2 = 2; c->c3 = 3; c->c4 = 4; c->c5 = 5; c->c6 = 6; c->c7 = 7; c->c8 = 8; c->c9 = 9; c->c10 = 10;
    c->d1 = 1; c->d2 = 2; c->d3 = 3; c->d4 = 4; c->d5 = 5; c->d6 = 6; c->d7 = 7; c->d8 = 8; c->d9 = 9; c->d10 = 10;
    c->e1 = 1; c->e2 = 2; c->e3 = 3; c->e4 = 4; c->e5 = 5; c->e6 = 6; c->e7 = 7; c->e8 = 8; c->e9 = 9; c->e10 = 10;
    c->f1 = 1; c->f2 = 2; c->f3 = 3; c->f4 = 4; c->f5 = 5; c->f6 = 6; c->f7 = 7; c->f8 = 8; c->f9 = 9; c->f10 = 10;
    c->g1 = 1;
}
",
            good: "void configure(struct config *c) {
    configure_network(c);
    configure_storage(c);
    configure_logging(c);
}
",
        },
        Example {
            path: "example.sh",
            bad: r#"#!/bin/sh
release() {
    folder=$1
    step_1 "$folder"
    step_2 "$folder"
    step_3 "$folder"
    step_4 "$folder"
    step_5 "$folder"
    step_6 "$folder"
    step_7 "$folder"
    step_8 "$folder"
    step_9 "$folder"
    step_10 "$folder"
    step_11 "$folder"
    step_12 "$folder"
    step_13 "$folder"
    step_14 "$folder"
    step_15 "$folder"
    step_16 "$folder"
    step_17 "$folder"
    step_18 "$folder"
    step_19 "$folder"
    step_20 "$folder"
    step_21 "$folder"
    step_22 "$folder"
    step_23 "$folder"
    step_24 "$folder"
    step_25 "$folder"
    step_26 "$folder"
    step_27 "$folder"
    step_28 "$folder"
    step_29 "$folder"
    step_30 "$folder"
    step_31 "$folder"
    step_32 "$folder"
    step_33 "$folder"
    step_34 "$folder"
    step_35 "$folder"
    step_36 "$folder"
    step_37 "$folder"
    step_38 "$folder"
    step_39 "$folder"
    step_40 "$folder"
    step_41 "$folder"
    step_42 "$folder"
    step_43 "$folder"
    step_44 "$folder"
    step_45 "$folder"
    step_46 "$folder"
    step_47 "$folder"
    step_48 "$folder"
    step_49 "$folder"
    step_50 "$folder"
    step_51 "$folder"
    step_52 "$folder"
    step_53 "$folder"
    step_54 "$folder"
    step_55 "$folder"
    step_56 "$folder"
    step_57 "$folder"
    step_58 "$folder"
    step_59 "$folder"
    step_60 "$folder"
    step_61 "$folder"
    step_62 "$folder"
}
"#,
            good: r#"#!/bin/sh
release() {
    folder=$1
    compile "$folder"
    verify "$folder"
    upload "$folder"
}
"#,
        },
    ],
    cwe: None,
    since: "0.1.0",
};
