//! The identifier of a request whose line cannot be read as a whole: damaged, nested too deeply, or too long to be kept.

use rmcp::model::RequestId;

/// Longest identifier that is found, in bytes as it stands in the line.
const LONGEST_ID: usize = 256;

/// Follows a JSON object byte by byte, in memory that does not grow, and remembers what its member `id` says.
#[derive(Debug, Default)]
pub(super) struct RequestIdScanner {
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// Whether the name of a member of the outermost object has been read and its value has not.
    at_value: bool,
    name: Vec<u8>,
    /// The beginning of the name or value of the outermost object that is being read.
    token: Vec<u8>,
    id: Option<Vec<u8>>,
    /// Whether it has a result or an error: its identifier then is one of the server's own.
    is_reply: bool,
}

impl RequestIdScanner {
    /// Scans a whole line.
    pub(super) fn scan(line: &[u8]) -> Self {
        let mut scanner = Self::default();
        scanner.feed(line);
        scanner
    }

    /// Goes on with the next bytes of the line.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if self.in_string {
                self.collect(byte);
                self.in_string = self.escaped || byte != b'"';
                self.escaped = !self.escaped && byte == b'\\';
                continue;
            }
            match byte {
                b'{' | b'[' => {
                    self.collect(byte);
                    self.depth += 1;
                }
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        self.end_member();
                    }
                }
                b':' if self.depth == 1 && !self.at_value => {
                    self.name = std::mem::take(&mut self.token);
                    self.at_value = true;
                }
                b',' if self.depth == 1 => self.end_member(),
                b' ' | b'\t' | b'\r' | b'\n' => {}
                _ => {
                    self.in_string = byte == b'"';
                    self.collect(byte);
                }
            }
        }
    }

    /// Whether the object has a member `id`, whatever it holds.
    pub(super) fn names_an_id(&self) -> bool {
        self.id.is_some()
    }

    /// The identifier under which the sender waits for an answer.
    pub(super) fn request_id(&self) -> Option<RequestId> {
        let id = self.id.as_deref().filter(|_| !self.is_reply)?;
        serde_json::from_slice(id).ok()
    }

    fn collect(&mut self, byte: u8) {
        if self.depth == 1 && self.token.len() <= LONGEST_ID {
            self.token.push(byte);
        }
    }

    fn end_member(&mut self) {
        let value = std::mem::take(&mut self.token);
        if std::mem::take(&mut self.at_value) {
            match self.name.as_slice() {
                b"\"id\"" => self.id = Some(value),
                b"\"result\"" | b"\"error\"" => self.is_reply = true,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::*;

    #[rstest]
    #[case(r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#, json!(7))]
    #[case(r#"{"method":"ping", "params":{"id":1,"list":[{"id":2}],"text":"\"id\":3,{"} , "id" : "a\"b" }"#, json!("a\"b"))]
    #[case(r#"{"id":7,"method":"tools/call","params":{"text":"cut of"#, json!(7))]
    #[case(r#"{"params":[[[[[[,"id":7]]]]]],"id":8}"#, json!(8))]
    #[case(r#"{"id":7"#, Value::Null)]
    #[case(r#"{"id":{"id":7}}"#, Value::Null)]
    #[case(r#"{"id":1.5,"method":"ping"}"#, Value::Null)]
    #[case(r#"{"id":null,"method":"ping"}"#, Value::Null)]
    #[case(r#"{"id":7,"result":{}}"#, Value::Null)]
    #[case(r#"[{"id":7}]"#, Value::Null)]
    #[case(r#""id":7"#, Value::Null)]
    #[case("}}]]:,", Value::Null)]
    fn the_outermost_id_of_a_request_is_found(#[case] line: &str, #[case] expected: Value) {
        let in_one = RequestIdScanner::scan(line.as_bytes()).request_id();
        assert_eq!(serde_json::to_value(&in_one).unwrap(), expected);
        let mut by_byte = RequestIdScanner::default();
        line.as_bytes().iter().for_each(|byte| by_byte.feed(&[*byte]));
        assert_eq!(by_byte.request_id(), in_one);
    }

    #[test]
    fn memory_does_not_grow_with_the_line() {
        let mut scanner = RequestIdScanner::scan(b"{\"id\":\"");
        for _ in 0..1_000 {
            scanner.feed(&[b'x'; 1_000]);
        }
        scanner.feed(b"\",\"method\":\"ping\"}");
        assert!(scanner.names_an_id() && scanner.request_id().is_none());
        assert!(scanner.token.capacity() + scanner.id.unwrap().capacity() < 4 * LONGEST_ID);
    }
}
