//! Control flow nested so deep that no reader keeps the conditions in mind.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "deep-nesting",
    aliases: &["pylint:too-many-nested-blocks", "eslint:max-depth"],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "Control flow is nested more than 4 levels deep.",
    help: "Return or continue early, or move the inner part into a function.",
    explanation: "Each level of control flow is one more condition that a reader has to keep in mind, and often one \
        more loop. Return or continue early where a condition is not met, or give the inner part a name of its own. \
        The cost grows with each level above four, up to 1500; in scripts and Go the same numbers hold.",
    examples: &[
        Example {
            path: "example.py",
            bad: "def ship(orders):
    for order in orders:
        if order.paid:
            for item in order.items:
                if item.in_stock:
                    with item.lock:
                        item.pack()
",
            good: "def ship(orders):
    for order in orders:
        if order.paid:
            pack_available(order.items)


def pack_available(items):
    for item in items:
        if item.in_stock:
            with item.lock:
                item.pack()
",
        },
        Example {
            path: "example.ts",
            bad: "export function ship(orders: Order[]): void {
  for (const order of orders) {
    if (order.paid) {
      for (const item of order.items) {
        if (item.inStock) {
          try {
            item.pack();
          } finally {
            item.release();
          }
        }
      }
    }
  }
}
",
            good: "export function ship(orders: Order[]): void {
  for (const order of orders) {
    if (order.paid) {
      order.items.filter((item) => item.inStock).forEach(pack);
    }
  }
}
",
        },
        Example {
            path: "example.go",
            bad: r#"package shop

func Ship(orders []Order) {
	for _, order := range orders {
		if order.Paid {
			for _, item := range order.Items {
				if item.InStock {
					if item.Fragile {
						item.Wrap()
					}
				}
			}
		}
	}
}
"#,
            good: r#"package shop

func Ship(orders []Order) {
	for _, order := range orders {
		if order.Paid {
			wrapFragile(order.Items)
		}
	}
}

func wrapFragile(items []Item) {
	for _, item := range items {
		if item.InStock && item.Fragile {
			item.Wrap()
		}
	}
}
"#,
        },
        Example {
            path: "example.rs",
            bad: "pub fn ship(orders: &[Order]) {
    for order in orders {
        if order.paid {
            for item in &order.items {
                if item.in_stock {
                    if item.fragile {
                        item.wrap();
                    }
                }
            }
        }
    }
}
",
            good: "pub fn ship(orders: &[Order]) {
    for order in orders.iter().filter(|order| order.paid) {
        order.items.iter().filter(|item| item.in_stock && item.fragile).for_each(Item::wrap);
    }
}
",
        },
        Example {
            path: "example.java",
            bad: r#"class Shop {
    void ship(List<Order> orders) {
        for (Order order : orders) {
            if (order.paid) {
                for (Item item : order.items) {
                    if (item.inStock) {
                        if (item.fragile) {
                            item.wrap();
                        }
                    }
                }
            }
        }
    }
}
"#,
            good: r#"class Shop {
    void ship(List<Order> orders) {
        for (Order order : orders) {
            if (order.paid) {
                wrapFragile(order.items);
            }
        }
    }
}
"#,
        },
        Example {
            path: "example.c",
            bad: "void ship(struct order *orders, int count) {
    for (int i = 0; i < count; i++) {
        if (orders[i].paid) {
            for (struct item *item = orders[i].items; item; item = item->next) {
                if (item->in_stock) {
                    if (item->fragile) {
                        wrap(item);
                    }
                }
            }
        }
    }
}
",
            good: "void ship(struct order *orders, int count) {
    for (int i = 0; i < count; i++) {
        if (orders[i].paid) {
            wrap_fragile(orders[i].items);
        }
    }
}
",
        },
        Example {
            path: "example.bash",
            bad: r#"#!/bin/bash
check() {
    for folder in "$@"; do
        if [ -d "$folder" ]; then
            while read -r name; do
                case $name in
                *.sh)
                    if [ -x "$folder/$name" ]; then
                        echo "$name"
                    fi
                    ;;
                esac
            done < "$folder/list"
        fi
    done
}
"#,
            good: r#"#!/bin/bash
check_file() {
    case $1 in
    *.sh) [ -x "$1" ] && echo "$1" ;;
    esac
}

check() {
    for folder in "$@"; do
        [ -d "$folder" ] || continue
        while read -r name; do
            check_file "$folder/$name"
        done < "$folder/list"
    done
}
"#,
        },
    ],
    cwe: None,
    since: "0.1.0",
};
