//! The rules, one a file, sorted by code.

mod influxdb_built_query;
mod influxdb_inline_token;
mod influxdb_not_closed;
mod influxdb_plain;
mod influxdb_tls_unverified;
mod influxdb_unbounded_query;
mod influxdb_write_in_loop;
mod mqtt_everything;
mod mqtt_no_credentials;
mod mqtt_no_loop;
mod mqtt_plain;
mod mqtt_quality;
mod mqtt_tls_unverified;
mod mqtt_topic;
mod websocket_no_close_handling;
mod websocket_no_heartbeat;
mod websocket_no_origin_check;
mod websocket_plain;
mod websocket_tls_unverified;
mod websocket_unbounded_message;

use super::model::Code;
use crate::validate::sink::Check;

/// What makes a client of a broker.
const CLIENTS: [&str; 4] = ["Client", "MqttClient", "connect", "connectAsync"];

/// What makes a client of the database.
const DATABASES: [&str; 6] =
    ["InfluxDB", "InfluxDBClient", "InfluxDBClient3", "InfluxDBClientAsync", "DataFrameClient", "InfluxDBClient2"];

/// Everything the rules need.
mod prelude {
    #[cfg(test)]
    pub(super) use super::holds;
    pub(super) use crate::validate::sink::{Check, Sink, rule};
    pub(super) use crate::validate::usage::model::{Argument, Code};
    pub(super) use tapps_base::finding::{Category, Severity};
}

/// All rules, sorted by code.
pub(super) const ALL: &[Check<Code>] = &[
    influxdb_built_query::CHECK,
    influxdb_inline_token::CHECK,
    influxdb_not_closed::CHECK,
    influxdb_plain::CHECK,
    influxdb_tls_unverified::CHECK,
    influxdb_unbounded_query::CHECK,
    influxdb_write_in_loop::CHECK,
    mqtt_everything::CHECK,
    mqtt_no_credentials::CHECK,
    mqtt_no_loop::CHECK,
    mqtt_plain::CHECK,
    mqtt_quality::CHECK,
    mqtt_tls_unverified::CHECK,
    mqtt_topic::CHECK,
    websocket_no_close_handling::CHECK,
    websocket_no_heartbeat::CHECK,
    websocket_no_origin_check::CHECK,
    websocket_plain::CHECK,
    websocket_tls_unverified::CHECK,
    websocket_unbounded_message::CHECK,
];

/// How the rules are tested.
#[cfg(test)]
fn holds(check: &Check<Code>, cases: &[(&str, &[u32])]) {
    use tapps_base::source::Source;
    let parse = |source: &Source| super::read(&Source::new("a.py", source.bytes().to_vec())).expect("valid");
    crate::validate::sink::holds(check, parse, cases);
}
