//! Databases open to the network.

use super::super::model::services;
use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Node> = Check {
    rule: weakness(
        rule(
            "compose-exposed-database",
            Category::Security,
            Severity::High,
            "The database can be reached from every network the machine is in.",
            "bind it to 127.0.0.1, or leave `ports` out: services reach each other without",
        ),
        "CWE-668",
    ),
    hadolint: &[],
    run,
};

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

fn run(root: &Node, sink: &mut Sink<'_>) {
    for service in services(root) {
        for (address, target, at) in service.published() {
            let local = address.is_some_and(|address| {
                address.starts_with("127.") || matches!(address, "::1" | "localhost") || address.contains('$')
            });
            let Some((_, name)) = PORTS.iter().find(|(port, _)| *port == target) else { continue };
            if !local {
                sink.say(at.place, format!("{name} of the service `{}` is open to the network", service.name));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
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
