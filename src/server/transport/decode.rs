//! A line of input as a message of the protocol, or the error that answers it.

use rmcp::ErrorData;
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, RequestId};
use serde_json::error::Category;
use serde_json::{Value, json};

use super::request_id::RequestIdScanner;

/// Some programs begin a text with it; readers of JSON may pass over it.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// What a sender of something unreadable should know.
const ONE_MESSAGE_A_LINE: &str = "send one JSON-RPC message a line, in UTF-8, nested at most 120 deep";

/// What a line is.
#[derive(Debug)]
pub(super) enum DecodedLine {
    Message(Box<ClientJsonRpcMessage>),
    /// A blank line, or a notification that nobody knows: neither is ever answered.
    Ignored,
    Refused(LineRefusal),
}

/// The error that answers a line.
#[derive(Debug)]
pub(super) struct LineRefusal {
    /// None where the line does not tell; the answer then carries null, as JSON-RPC has it.
    id: Option<RequestId>,
    error: ErrorData,
}

/// Reads a line.
pub(super) fn decode_line(line: &[u8]) -> DecodedLine {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return DecodedLine::Ignored;
    }
    match serde_json::from_slice::<ClientJsonRpcMessage>(line) {
        // A request whose identifier has a type that is not allowed reads as a notification.
        Ok(JsonRpcMessage::Notification(_)) if RequestIdScanner::scan(line).names_an_id() => DecodedLine::Refused(
            LineRefusal::invalid_message(None, "the id of a request must be a text or a whole number"),
        ),
        Ok(message) => DecodedLine::Message(Box::new(message)),
        Err(error) => refuse_line(line, &error),
    }
}

fn refuse_line(line: &[u8], error: &serde_json::Error) -> DecodedLine {
    let id = RequestIdScanner::scan(line).request_id();
    if matches!(error.classify(), Category::Syntax | Category::Eof | Category::Io) {
        let hint = Some(json!({ "hint": ONE_MESSAGE_A_LINE }));
        return DecodedLine::Refused(LineRefusal {
            id,
            error: ErrorData::parse_error(format!("the line cannot be read as JSON: {error}"), hint),
        });
    }
    let value: Value = serde_json::from_slice(line).unwrap_or_default();
    if value.get("method").is_some_and(Value::is_string) && value.get("id").is_none() {
        tracing::debug!("a notification that cannot be read is passed over");
        return DecodedLine::Ignored;
    }
    let what = match &value {
        Value::Array(list) if list.is_empty() => "the batch is empty",
        Value::Array(_) => "batches of messages are not part of this protocol",
        Value::Object(_) => "the object is no request, notification or response of JSON-RPC 2.0",
        _ => "the value is no message of JSON-RPC 2.0",
    };
    DecodedLine::Refused(LineRefusal::invalid_message(id, what))
}

impl LineRefusal {
    fn invalid_message(id: Option<RequestId>, what: &str) -> Self {
        let hint = Some(json!({ "hint": ONE_MESSAGE_A_LINE }));
        Self { id, error: ErrorData::invalid_request(what.to_owned(), hint) }
    }

    /// A line that is longer than `most` bytes.
    pub(super) fn too_long(id: Option<RequestId>, most: usize) -> Self {
        let hint = Some(json!({ "hint": "send less at once; files are named by their path" }));
        Self { id, error: ErrorData::invalid_request(format!("the line has more than {most} bytes"), hint) }
    }

    /// A request under an identifier that another one still waits with.
    pub(super) fn repeated_request_id(id: RequestId) -> Self {
        let hint = Some(json!({ "hint": "give each request an id of its own" }));
        Self { id: Some(id), error: ErrorData::invalid_request("a request with this id is still being answered", hint) }
    }

    /// The answer as it is sent, with the end of the line.
    pub(super) fn into_line(self) -> Vec<u8> {
        let mut line = json!({"jsonrpc": "2.0", "id": self.id, "error": self.error}).to_string().into_bytes();
        line.push(b'\n');
        line
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn answer_to(line: &[u8]) -> (Value, Value) {
        let DecodedLine::Refused(refusal) = decode_line(line) else { panic!("{}", String::from_utf8_lossy(line)) };
        let answer: Value = serde_json::from_slice(&refusal.into_line()).unwrap();
        assert!(answer["error"]["data"]["hint"].is_string());
        (answer["id"].clone(), answer["error"]["code"].clone())
    }

    #[rstest]
    #[case(b"{", json!(null), -32700)]
    #[case(b"hello", json!(null), -32700)]
    #[case(b"\0", json!(null), -32700)]
    #[case(b"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\",\"params\":{\"x\":\"\xff\"}}", json!(3), -32700)]
    #[case(b"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"} x", json!(3), -32700)]
    #[case(b"[]", json!(null), -32600)]
    #[case(b"[{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}]", json!(null), -32600)]
    #[case(b"7", json!(null), -32600)]
    #[case(b"{}", json!(null), -32600)]
    #[case(b"{\"jsonrpc\":\"2.0\",\"id\":\"a\"}", json!("a"), -32600)]
    #[case(b"{\"jsonrpc\":\"1.0\",\"id\":4,\"method\":\"ping\"}", json!(4), -32600)]
    #[case(b"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", json!(null), -32600)]
    #[case(b"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", json!(null), -32600)]
    fn what_is_no_message_has_an_answer(#[case] line: &[u8], #[case] id: Value, #[case] code: i64) {
        assert_eq!(answer_to(line), (id, json!(code)));
    }

    #[rstest]
    #[case(126)]
    #[case(1_000)]
    #[case(100_000)]
    fn what_is_nested_too_deeply_is_answered_by_its_id(#[case] depth: usize) {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        let line = format!(r#"{{"jsonrpc":"2.0","method":"tools/call","params":{{"x":{open}{close}}},"id":5}}"#);
        assert_eq!(answer_to(line.as_bytes()), (json!(5), json!(-32700)));
    }

    #[test]
    fn notifications_and_blank_lines_are_never_answered() {
        for line in ["", " \r", "{\"jsonrpc\":\"1.0\",\"method\":\"x\"}"] {
            assert!(matches!(decode_line(line.as_bytes()), DecodedLine::Ignored), "{line}");
        }
        let known = b"\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\r";
        assert!(matches!(decode_line(known), DecodedLine::Message(_)));
    }
}
