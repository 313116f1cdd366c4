//! The rules, one a file, sorted by code.

use super::model::FileCalls;
use crate::validate::sink::ConfigRunner;
use tapps_base::declare_rules;

/// What makes a client of a broker.
const CLIENTS: [&str; 4] = ["Client", "MqttClient", "connect", "connectAsync"];

/// What makes a client of the database.
const DATABASES: [&str; 6] =
    ["InfluxDB", "InfluxDBClient", "InfluxDBClient3", "InfluxDBClientAsync", "DataFrameClient", "InfluxDBClient2"];

declare_rules! {
    pub(in crate::validate) rules run as ConfigRunner<FileCalls>;
    influxdb_built_query,
    influxdb_inline_token,
    influxdb_not_closed,
    influxdb_plain,
    influxdb_tls_unverified,
    influxdb_unbounded_query,
    influxdb_write_in_loop,
    mqtt_everything,
    mqtt_no_credentials,
    mqtt_no_loop,
    mqtt_plain,
    mqtt_quality,
    mqtt_tls_unverified,
    mqtt_topic,
    websocket_no_close_handling,
    websocket_no_heartbeat,
    websocket_no_origin_check,
    websocket_plain,
    websocket_tls_unverified,
    websocket_unbounded_message;
    reported elsewhere: syntax,
}

/// Everything the rules need.
mod prelude {
    #[cfg(test)]
    pub(super) use super::assert_usage_rule;
    pub(super) use crate::validate::sink::{ConfigRunner, FindingSink};
    pub(super) use crate::validate::usage::model::{Argument, FileCalls};
    pub(super) use tapps_base::finding::{Category, Severity, Tool};
    pub(super) use tapps_base::rule::{Example, Rule};
}

/// How the rules are tested.
#[cfg(test)]
fn assert_usage_rule(rule: &tapps_base::rule::Rule, run: ConfigRunner<FileCalls>, cases: &[(&str, &[u32])]) {
    use tapps_base::source::Source;
    let parse = |source: &Source| super::read_file_calls(&Source::new("a.py", source.bytes().to_vec())).expect("valid");
    crate::validate::sink::assert_rule_findings(rule, run, parse, cases);
}
