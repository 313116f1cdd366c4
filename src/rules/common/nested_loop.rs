//! Loops within loops over data that does not belong together.

use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "nested-loop",
    aliases: &[],
    category: Category::Performance,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "Loops over independent data are nested, so the work grows with the product of their sizes.",
    help: "Look the inner data up in a dictionary or set, or prepare it before the outer loop.",
    explanation: "Two loops over data that has nothing to do with each other do the product of their sizes in work: a \
        thousand orders and a thousand customers are a million steps. Build a dictionary or set (`Map` or `Set` in \
        scripts) before the outer loop and look the partner up. A walk over parts of the outer element is not meant, \
        nor a loop over a few constants. Three loops cost 1500. In scripts the severity is medium.",
    examples: &[
        Example {
            path: "example.py",
            bad: "def match(orders, customers):
    pairs = []
    for order in orders:
        for customer in customers:
            if order.customer_id == customer.id:
                pairs.append((order, customer))
    return pairs
",
            good: "def match(orders, customers):
    by_id = {customer.id: customer for customer in customers}
    return [(order, by_id[order.customer_id]) for order in orders]
",
        },
        Example {
            path: "example.ts",
            bad: "export function match(orders: Order[], customers: Customer[]): Pair[] {
  const pairs: Pair[] = [];
  for (const order of orders) {
    for (const customer of customers) {
      if (order.customerId === customer.id) {
        pairs.push([order, customer]);
      }
    }
  }
  return pairs;
}
",
            good: "export function match(orders: Order[], customers: Customer[]): Pair[] {
  const byId = new Map(customers.map((customer) => [customer.id, customer]));
  return orders.map((order) => [order, byId.get(order.customerId)]);
}
",
        },
    ],
    cwe: None,
    since: "0.1.0",
};
