//! What rules about libraries need to know of code, whatever its language: calls with their arguments.

use std::collections::{BTreeMap, BTreeSet};

use super::super::sink::FileLocation;

/// The calls of one file.
#[derive(Debug, Default)]
pub(super) struct FileCalls {
    pub(super) calls: Vec<FunctionCall>,
    /// Every identifier and attribute, and texts that are the first argument of a call.
    pub(super) names: BTreeSet<String>,
    /// What names are bound to the result of which call.
    pub(super) bound: BTreeMap<String, String>,
}

/// One call, or `new`.
#[derive(Debug, Clone, Default)]
pub(super) struct FunctionCall {
    /// Dotted: `websockets.connect`; empty where it is not a name.
    pub(super) callee: String,
    pub(super) arguments: Vec<Argument>,
    /// By name; of a script, the properties of the objects among the arguments.
    pub(super) named: Vec<(String, Argument)>,
    pub(super) place: FileLocation,
    pub(super) in_loop: bool,
    /// In a `with`, which closes what it opened.
    pub(super) managed: bool,
}

/// One argument, as far as it can be told.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum Argument {
    Text(String),
    /// A text put together from literals, which are kept, and values.
    Built(String),
    Number(i64),
    True,
    False,
    Nothing,
    #[default]
    Other,
}

impl Argument {
    /// The literal part of a text.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Built(text) => Some(text),
            _ => None,
        }
    }
}

impl FunctionCall {
    /// The last part of the callee.
    pub(super) fn method(&self) -> &str {
        self.callee.rsplit('.').next().unwrap_or_default()
    }

    /// What stands before the last part.
    pub(super) fn receiver(&self) -> &str {
        self.callee.rsplit_once('.').map_or("", |(receiver, _)| receiver)
    }

    pub(super) fn named(&self, name: &str) -> Option<&Argument> {
        self.named.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// All arguments, named or not.
    pub(super) fn all(&self) -> impl Iterator<Item = &Argument> {
        self.arguments.iter().chain(self.named.iter().map(|(_, value)| value))
    }
}

impl FileCalls {
    /// True when any of the names occurs.
    pub(super) fn mentions(&self, any: &[&str]) -> bool {
        any.iter().any(|name| self.names.contains(*name))
    }

    /// Calls of a method on what was made by one of `makers`; where nothing in the file was, on what is named like one.
    pub(super) fn method_calls_on<'c>(&'c self, makers: &[&str], like: &[&str], methods: &[&str]) -> Vec<&'c FunctionCall> {
        let made = |callee: &str| makers.contains(&callee.rsplit('.').next().unwrap_or(callee));
        let known: Vec<&str> =
            self.bound.iter().filter(|(_, callee)| made(callee)).map(|(name, _)| name.as_str()).collect();
        let fits = |call: &&FunctionCall| {
            let receiver = call.receiver();
            let last = receiver.rsplit('.').next().unwrap_or(receiver).to_ascii_lowercase();
            let by_name = like.iter().any(|like| last.contains(like));
            methods.contains(&call.method())
                && !receiver.is_empty()
                && if known.is_empty() { by_name } else { known.contains(&receiver) }
        };
        self.calls.iter().filter(fits).collect()
    }
}

/// True for an address of the machine itself, or one that is filled in later.
pub(super) fn is_local(address: &str) -> bool {
    let host = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    ["localhost", "127.", "[::1]", "0.0.0.0", "host.docker.internal", "testserver"]
        .iter()
        .any(|local| host.starts_with(local))
        || host.is_empty()
}
