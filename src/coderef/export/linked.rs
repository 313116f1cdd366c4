//! The document as linked data: each node names what it refers to.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::document::{GraphDocument, GraphDocumentNode};

/// JSON-LD in the expanded-by-context form: words of this vocabulary, references as URNs.
pub(super) fn to_json_ld(document: &GraphDocument) -> Value {
    let mut related: BTreeMap<&str, BTreeMap<&str, Vec<Value>>> = BTreeMap::new();
    let known: BTreeMap<&str, ()> = document.nodes.iter().map(|node| (node.id.as_str(), ())).collect();
    for edge in document.edges.iter().filter(|edge| known.contains_key(edge.target.as_str())) {
        let targets = related.entry(&edge.source).or_default().entry(edge.relationship).or_default();
        let target = json!({ "@id": urn(&edge.target) });
        if !targets.contains(&target) {
            targets.push(target);
        }
    }
    let nodes: Vec<Value> =
        document.nodes.iter().map(|node| json_ld_node(node, related.remove(node.id.as_str()))).collect();
    let link = json!({ "@type": "@id", "@container": "@set" });
    let mut context = Map::new();
    context.insert("@vocab".into(), "urn:coderef:vocabulary:".into());
    for relationship in ["call", "import", "export", "extends", "implements", "test"] {
        context.insert(relationship.into(), link.clone());
    }
    json!({ "@context": context, "@graph": nodes })
}

fn json_ld_node(node: &GraphDocumentNode, related: Option<BTreeMap<&str, Vec<Value>>>) -> Value {
    let mut object = Map::new();
    object.insert("@id".into(), urn(&node.id).into());
    object.insert("@type".into(), node.kind.into());
    object.insert("name".into(), node.name.clone().into());
    object.insert("file".into(), node.file.clone().into());
    object.insert("line".into(), node.line.into());
    if let Some(signature) = &node.signature {
        object.insert("signature".into(), signature.clone().into());
    }
    for (relationship, targets) in related.into_iter().flatten() {
        object.insert(relationship.to_owned(), targets.into());
    }
    object.into()
}

/// A reference as a URN; what may not stand in one is percent-encoded.
fn urn(reference: &str) -> String {
    let mut urn = String::from("urn:coderef:");
    for byte in reference.bytes() {
        match byte {
            b'A'..=b'Z'
            | b'a'..=b'z'
            | b'0'..=b'9'
            | b'-'
            | b'.'
            | b'_'
            | b'~'
            | b'@'
            | b'/'
            | b':'
            | b'$'
            | b'('
            | b')' => {
                urn.push(char::from(byte));
            }
            other => urn.push_str(&format!("%{other:02X}")),
        }
    }
    urn
}
