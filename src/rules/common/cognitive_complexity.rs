//! Functions whose flow is hard to follow.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "cognitive-complexity",
    aliases: &["gocognit:gocognit", "sonar:S3776"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 30,
    blocking: false,
    summary: "The flow of a function takes too many steps to follow: its cognitive complexity is above 25.",
    help: "Return early, and give conditions and inner loops functions of their own.",
    explanation: "Cognitive complexity counts what a reader has to keep in mind: each break of the straight line, \
        dearer the deeper it is nested, and each change of a logical operator. Unlike cyclomatic \
        complexity it lets a long `switch` pass. Each step above 25 costs 30, up to 1500.",
    examples: &[
        Example {
            path: "example.go",
            bad: r#"package route

func Pick(nodes []Node, want string) *Node {
	for _, node := range nodes {
		if node.Ready {
			for _, port := range node.Ports {
				if port.Open {
					for _, name := range port.Names {
						if name == want && port.Free || port.Shared {
							if node.Load < 10 {
								if port.Load < 10 {
									return &node
								}
							}
						}
					}
				}
			}
		}
	}
	return nil
}
"#,
            good: r#"package route

func Pick(nodes []Node, want string) *Node {
	for _, node := range nodes {
		if node.Ready && node.offers(want) {
			return &node
		}
	}
	return nil
}
"#,
        },
        Example {
            path: "example.rs",
            bad: "pub fn pick<'a>(nodes: &'a [Node], want: &str) -> Option<&'a Node> {
    for node in nodes {
        if node.ready {
            for port in &node.ports {
                if port.open {
                    for name in &port.names {
                        if name == want && port.free || port.shared {
                            if node.load < 10 {
                                if port.load < 10 {
                                    return Some(node);
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    None
}
",
            good: "pub fn pick<'a>(nodes: &'a [Node], want: &str) -> Option<&'a Node> {
    nodes.iter().find(|node| node.ready && node.offers(want))
}
",
        },
        Example {
            path: "example.java",
            bad: r#"class Route {
    Node pick(List<Node> nodes, String want) {
        for (Node node : nodes) {
            if (node.ready) {
                for (Port port : node.ports) {
                    if (port.open) {
                        for (String name : port.names) {
                            if (name.equals(want) && port.free || port.shared) {
                                if (node.load < 10) {
                                    if (port.load < 10) {
                                        return node;
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        return null;
    }
}
"#,
            good: r#"class Route {
    Node pick(List<Node> nodes, String want) {
        for (Node node : nodes) {
            if (node.ready && node.offers(want)) {
                return node;
            }
        }
        return null;
    }
}
"#,
        },
        Example {
            path: "example.c",
            bad: "int ship(struct order *order, int kind) {
    for (struct item *item = order->items; item; item = item->next) {
        if (item->stock) {
            for (int i = 0; i < item->count; i++) {
                if (kind == 1 && item->fragile || kind == 2) {
                    while (item->open) {
                        if (kind == 3 || item->heavy) {
                            wrap(item);
                        } else if (item->small) {
                            bag(item);
                        } else {
                            pack(item);
                        }
                    }
                }
            }
        }
    }
    return 0;
}
",
            good: "int ship(struct order *order, int kind) {
    for (struct item *item = order->items; item; item = item->next) {
        if (item->stock) {
            ship_item(item, kind);
        }
    }
    return 0;
}
",
        },
        Example {
            path: "example.bash",
            bad: r#"#!/bin/bash
price() {
    total=0
    for item in "$@"; do
        if [[ $item == *:* ]]; then
            if [[ $item == vip:* ]]; then
                for rebate in 5 10; do
                    if [[ $total -gt 100 ]]; then
                        total=$((total - rebate))
                    elif [[ $total -gt 50 ]]; then
                        total=$((total - 1))
                    else
                        total=$((total + 1))
                    fi
                done
            elif [[ $item == new:* ]]; then
                while [[ $total -gt 200 ]]; do
                    if [[ $item == *:x ]]; then
                        total=$((total / 2))
                    fi
                done
            fi
        elif [[ -n $item ]]; then
            if [[ $item -gt 10 ]]; then
                total=$((total + item))
            fi
        fi
    done
}
"#,
            good: r#"#!/bin/bash
price() {
    total=0
    for item in "$@"; do
        case $item in
        vip:*) reduce "$item" ;;
        new:*) welcome "$item" ;;
        *) total=$((total + item)) ;;
        esac
    done
}
"#,
        },
    ],
    cwe: None,
    since: "0.1.0",
};
