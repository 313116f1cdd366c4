//! Databases open to the network.

use super::super::model::services;
use crate::validate::yaml_rules::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "compose-exposed-database",
    aliases: &[],
    category: Category::Security,
    severity: Severity::High,
    cost: 0,
    blocking: false,
    summary: "The database can be reached from every network the machine is in.",
    help: "bind it to 127.0.0.1, or leave `ports` out: services reach each other without",
    explanation: "A published port without an address is bound to all of them, and Docker writes it past the machine's \
        firewall. A database that was meant for the neighbours is then open to every network. Services of one file \
        reach each other without `ports`; for the machine itself, bind to 127.0.0.1.",
    examples: &[Example {
        path: "compose.yaml",
        bad: r#"services:
  db:
    image: postgres:17.2
    ports:
      - "5432:5432"
"#,
        good: r#"services:
  db:
    image: postgres:17.2
    ports:
      - "127.0.0.1:5432:5432"
"#,
    }],
    cwe: Some("CWE-668"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_exposed_database;

/// Ports of databases and of other stores that trust their network.
const PORTS: [(&str, &str); 17] = [
    ("1433", "SQL Server"),
    ("1521", "Oracle"),
    ("2181", "ZooKeeper"),
    ("2379", "etcd"),
    ("3306", "MySQL"),
    ("4222", "NATS"),
    ("5432", "PostgreSQL"),
    ("5672", "RabbitMQ"),
    ("5984", "CouchDB"),
    ("6379", "Redis"),
    ("7687", "Neo4j"),
    ("8086", "InfluxDB"),
    ("9042", "Cassandra"),
    ("9092", "Kafka"),
    ("9200", "Elasticsearch"),
    ("11211", "Memcached"),
    ("27017", "MongoDB"),
];

fn check_exposed_database(root: &YamlNode, sink: &mut FindingSink<'_>) {
    for service in services(root) {
        for (address, target, at) in service.published_ports() {
            let local = address.is_some_and(|address| {
                address.starts_with("127.") || matches!(address, "::1" | "localhost") || address.contains('$')
            });
            let Some((_, name)) = PORTS.iter().find(|(port, _)| *port == target) else { continue };
            if !local {
                sink.report_finding(at.place, format!("{name} of the service `{}` is open to the network", service.name));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_yaml_rule(
            &super::RULE,
            super::RUN,
            &[
                (
                    "services:\n  db:\n    ports:\n      - \"5432:5432\"\n      - 0.0.0.0:6379:6379\n      - target: 3306\n        published: 3306\n",
                    &[4, 5, 6],
                ),
                (
                    "services:\n  db:\n    ports: [\"127.0.0.1:5432:5432\", \"8080:80\", \"5432\", \"[::1]:6379:6379\"]\n",
                    &[],
                ),
            ],
        );
    }
}
