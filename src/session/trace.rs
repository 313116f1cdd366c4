//! The trace that a call belongs to, as W3C Trace Context writes it in `traceparent`.

/// What a caller said of its trace; only valid values exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceParent {
    /// 32 hexadecimal digits.
    pub trace_id: String,
    /// The span that called, 16 hexadecimal digits.
    pub parent_id: String,
    /// Whether the caller records the trace.
    pub sampled: bool,
}

impl TraceParent {
    /// Reads a value. One of a later version is read as far as this version goes, as the standard wants; none for what is
    /// not valid.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let mut field = |digits| parts.next().filter(|part| is_lower_hex(part, digits));
        let (version, trace_id, parent_id, flags) = (field(2)?, field(32)?, field(16)?, field(2)?);
        let is_whole = parts.next().is_none();
        let is_zero = |id: &str| id.bytes().all(|digit| digit == b'0');
        if version == "ff" || (version == "00" && !is_whole) || is_zero(trace_id) || is_zero(parent_id) {
            return None;
        }
        let sampled = u8::from_str_radix(flags, 16).ok()? & 1 == 1;
        Some(Self { trace_id: trace_id.to_owned(), parent_id: parent_id.to_owned(), sampled })
    }
}

/// True for the identifier of a trace, as [`TraceParent::trace_id`] has it.
#[must_use]
pub fn is_trace_id(text: &str) -> bool {
    is_lower_hex(text, 32)
}

fn is_lower_hex(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const SPAN: &str = "00f067aa0ba902b7";

    #[test]
    fn valid_values_are_read() {
        for (text, sampled) in [
            (format!("00-{TRACE}-{SPAN}-01"), true),
            (format!("00-{TRACE}-{SPAN}-02"), false),
            (format!("cc-{TRACE}-{SPAN}-01-what-comes-later"), true),
            (format!("01-{TRACE}-{SPAN}-00"), false),
        ] {
            let read = TraceParent::parse(&text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((read.trace_id.as_str(), read.parent_id.as_str(), read.sampled), (TRACE, SPAN, sampled));
        }
    }

    #[test]
    fn everything_else_is_no_value() {
        let zeros = |digits| "0".repeat(digits);
        for text in [
            String::new(),
            TRACE.to_owned(),
            format!("00-{TRACE}-{SPAN}"),
            format!("00-{TRACE}-{SPAN}-01-more"),
            format!("00-{TRACE}-{SPAN}-01-"),
            format!("ff-{TRACE}-{SPAN}-01"),
            format!("0-{TRACE}-{SPAN}-01"),
            format!("00-{}-{SPAN}-01", TRACE.to_uppercase()),
            format!("00-{}-{SPAN}-01", zeros(32)),
            format!("00-{TRACE}-{}-01", zeros(16)),
            format!("00-{TRACE}-{SPAN}-1"),
            format!("00-{TRACE}-{SPAN}-0g"),
            format!(" 00-{TRACE}-{SPAN}-01"),
            format!("01-{TRACE}-{SPAN}-01é"),
        ] {
            assert_eq!(TraceParent::parse(&text), None, "{text}");
        }
    }
}
