//! How reading a file went, in forms that name no fields: what is kept between scans has no room for them.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::model::Parse;

#[derive(Serialize, Deserialize)]
enum Plain {
    Whole,
    Broken(u32, String),
    Skipped(String),
}

pub(super) fn serialize<S: Serializer>(parse: &Parse, to: S) -> Result<S::Ok, S::Error> {
    if to.is_human_readable() {
        return parse.serialize(to);
    }
    let plain = match parse {
        Parse::Whole => Plain::Whole,
        Parse::Broken { line, message } => Plain::Broken(*line, message.clone()),
        Parse::Skipped { reason } => Plain::Skipped(reason.clone()),
    };
    plain.serialize(to)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Parse, D::Error> {
    if from.is_human_readable() {
        return Parse::deserialize(from);
    }
    Ok(match Plain::deserialize(from)? {
        Plain::Whole => Parse::Whole,
        Plain::Broken(line, message) => Parse::Broken { line, message },
        Plain::Skipped(reason) => Parse::Skipped { reason },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Holder(#[serde(with = "super")] Parse);

    #[test]
    fn both_forms_come_back() {
        for parse in
            [Parse::Whole, Parse::Broken { line: 3, message: "x".into() }, Parse::Skipped { reason: "y".into() }]
        {
            let holder = Holder(parse);
            let bytes = postcard::to_stdvec(&holder).unwrap();
            assert_eq!(postcard::from_bytes::<Holder>(&bytes).unwrap(), holder);
            let json = serde_json::to_string(&holder).unwrap();
            assert_eq!(serde_json::from_str::<Holder>(&json).unwrap(), holder);
        }
        assert_eq!(serde_json::to_value(Holder(Parse::Whole)).unwrap(), serde_json::json!({"state": "whole"}));
    }
}
