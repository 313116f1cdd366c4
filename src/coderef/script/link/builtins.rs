//! Types of the language and its run time: what their members give, and what they hand to callbacks.

use super::infer::Infer;
use super::members::Slot;
use super::ty::Ty;
use super::world::Gid;
use crate::script::facts::{Expr, ExprId, Primitive};

/// Names that stand for values in every script.
const GLOBALS: &[&str] = &[
    "AbortController",
    "AbortSignal",
    "AggregateError",
    "Array",
    "ArrayBuffer",
    "Atomics",
    "BigInt",
    "BigInt64Array",
    "BigUint64Array",
    "Blob",
    "Boolean",
    "Buffer",
    "CustomEvent",
    "DOMException",
    "DataView",
    "Date",
    "Error",
    "EvalError",
    "Event",
    "EventSource",
    "EventTarget",
    "File",
    "FileReader",
    "FinalizationRegistry",
    "Float32Array",
    "Float64Array",
    "FormData",
    "Function",
    "Headers",
    "Infinity",
    "Int16Array",
    "Int32Array",
    "Int8Array",
    "Intl",
    "JSON",
    "Map",
    "Math",
    "MessageChannel",
    "MutationObserver",
    "NaN",
    "Number",
    "Object",
    "Promise",
    "Proxy",
    "RangeError",
    "ReadableStream",
    "ReferenceError",
    "Reflect",
    "RegExp",
    "Request",
    "Response",
    "Set",
    "SharedArrayBuffer",
    "String",
    "Symbol",
    "SyntaxError",
    "TextDecoder",
    "TextEncoder",
    "TypeError",
    "URIError",
    "URL",
    "URLSearchParams",
    "Uint16Array",
    "Uint32Array",
    "Uint8Array",
    "Uint8ClampedArray",
    "WeakMap",
    "WeakRef",
    "WeakSet",
    "WebAssembly",
    "WebSocket",
    "Worker",
    "XMLHttpRequest",
    "__dirname",
    "__filename",
    "alert",
    "atob",
    "btoa",
    "cancelAnimationFrame",
    "clearImmediate",
    "clearInterval",
    "clearTimeout",
    "confirm",
    "console",
    "crypto",
    "customElements",
    "decodeURI",
    "decodeURIComponent",
    "document",
    "encodeURI",
    "encodeURIComponent",
    "escape",
    "eval",
    "exports",
    "fetch",
    "global",
    "globalThis",
    "history",
    "isFinite",
    "isNaN",
    "localStorage",
    "location",
    "module",
    "navigator",
    "parseFloat",
    "parseInt",
    "performance",
    "process",
    "prompt",
    "queueMicrotask",
    "requestAnimationFrame",
    "requestIdleCallback",
    "require",
    "self",
    "sessionStorage",
    "setImmediate",
    "setInterval",
    "setTimeout",
    "structuredClone",
    "unescape",
    "window",
];

/// True for a name of the language or its run time.
pub(super) fn is_global(name: &str) -> bool {
    GLOBALS.binary_search(&name).is_ok()
}

const LISTS: &[&str] = &[
    "Array",
    "ReadonlyArray",
    "Set",
    "ReadonlySet",
    "Iterable",
    "Iterator",
    "IterableIterator",
    "Generator",
    "AsyncGenerator",
    "AsyncIterable",
    "AsyncIterableIterator",
    "ArrayLike",
    "WeakSet",
    "ArrayIterator",
    "MapIterator",
    "SetIterator",
    "IteratorObject",
];

fn is_list(name: &str) -> bool {
    LISTS.contains(&name)
}

fn is_map(name: &str) -> bool {
    matches!(name, "Map" | "WeakMap" | "ReadonlyMap")
}

fn is_promise(name: &str) -> bool {
    matches!(name, "Promise" | "PromiseLike" | "Thenable")
}

impl Infer<'_, '_> {
    /// What iterating over a value gives.
    pub(super) fn element_of(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Builtin(name, arguments) if is_list(name) => arguments.first().cloned().unwrap_or(Ty::Unknown),
            Ty::Builtin(name, arguments) if is_map(name) => Ty::builtin("Tuple", arguments.to_vec()),
            Ty::Builtin(name, arguments) if &**name == "Tuple" => Ty::union(arguments.iter().cloned()),
            Ty::Builtin(name, arguments) if &**name == "Record" => arguments.get(1).cloned().unwrap_or(Ty::Unknown),
            Ty::Primitive(Primitive::String) => ty.clone(),
            Ty::Union(parts) => Ty::union(parts.iter().map(|part| self.element_of(part))),
            Ty::Both(parts) => Ty::intersection_of(parts.iter().map(|part| self.element_of(part)).collect()),
            Ty::Parameter(_) => {
                let bound = self.resolve_constraint(ty);
                if matches!(bound, Ty::Parameter(_)) { Ty::Unknown } else { self.element_of(&bound) }
            }
            Ty::Instance(shape, env) => {
                let index = self.world.shape(*shape).map_or(0, |shape| shape.index);
                if index != 0 {
                    return self.resolve_type(shape.file, index, env);
                }
                // A class that is an array or a set holds what its base holds.
                let parents = self.world.shape(*shape).map(|shape| shape.extends.as_slice()).unwrap_or_default();
                let above = self.world.shape(*shape).is_some_and(|shape| shape.superclass.is_some());
                let above = above.then(|| self.parent_instance(*shape, env));
                let found = parents.iter().map(|(up, _)| self.resolve_type(shape.file, *up, env)).chain(above);
                found.map(|up| self.element_of(&up)).find(|ty| !ty.is_unknown()).unwrap_or(Ty::Unknown)
            }
            _ => Ty::Unknown,
        }
    }

    /// `value[index]`.
    pub(super) fn item_type(&self, ty: &Ty, index: Option<u32>) -> Ty {
        match (ty, index) {
            (Ty::Builtin(name, arguments), Some(index)) if &**name == "Tuple" => {
                arguments.get(index as usize).cloned().unwrap_or(Ty::Unknown)
            }
            (Ty::Builtin(name, _), _) if is_map(name) || matches!(&**name, "Set" | "WeakSet") => Ty::Unknown,
            (Ty::Union(parts), _) => Ty::union(parts.iter().map(|part| self.item_type(part, index))),
            _ => self.element_of(ty),
        }
    }

    pub(super) fn awaited(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Builtin(name, arguments) if is_promise(name) => {
                arguments.first().map_or(Ty::Unknown, |inner| self.awaited(inner))
            }
            Ty::Union(parts) => Ty::union(parts.iter().map(|part| self.awaited(part))),
            other => other.clone(),
        }
    }

    /// A property of a built-in type that is not called.
    pub(super) fn builtin_member(&self, of: &str, arguments: &[Ty], name: &str) -> Ty {
        match name {
            "length" | "size" | "byteLength" => Ty::Primitive(Primitive::Number),
            "message" | "stack" | "name" => Ty::Primitive(Primitive::String),
            "signal" if of == "AbortController" => Ty::builtin("AbortSignal", Vec::new()),
            _ if of == "Record" => arguments.get(1).cloned().unwrap_or(Ty::Unknown),
            _ => Ty::Unknown,
        }
    }

    /// What calling a method of a built-in type gives.
    pub(super) fn builtin_call(&self, of: &str, own: &[Ty], name: &str, file: u32, arguments: &[ExprId]) -> Ty {
        let item = || own.first().cloned().unwrap_or(Ty::Unknown);
        let argument = |index: usize| arguments.get(index).map_or(Ty::Unknown, |id| self.expr_type(file, *id));
        let result = |index: usize| self.plain_result(&argument(index));
        let text = || Ty::Primitive(Primitive::String);
        if is_promise(of) {
            return match name {
                "then" => Ty::builtin("Promise", vec![self.awaited(&result(0))]),
                "catch" | "finally" => Ty::builtin(of, own.to_vec()),
                _ => Ty::Unknown,
            };
        }
        if is_map(of) {
            let value = || own.get(1).cloned().unwrap_or(Ty::Unknown);
            return match name {
                "get" => value(),
                "values" => Ty::builtin("Iterable", vec![value()]),
                "keys" => Ty::builtin("Iterable", vec![item()]),
                "entries" => Ty::builtin("Iterable", vec![Ty::builtin("Tuple", own.to_vec())]),
                "set" => Ty::builtin(of, own.to_vec()),
                "has" | "delete" => Ty::Primitive(Primitive::Boolean),
                _ => Ty::nothing(),
            };
        }
        if of == "Tuple" {
            let item = Ty::union(own.iter().cloned());
            return self.builtin_call("Array", &[item], name, file, arguments);
        }
        if is_list(of) {
            return match name {
                "find" | "findLast" | "pop" | "shift" | "at" => item(),
                "filter" | "slice" | "reverse" | "sort" | "splice" | "toSorted" | "toReversed" | "concat" | "fill" => {
                    Ty::array(item())
                }
                "map" => Ty::array(result(0)),
                "flatMap" => Ty::array(match result(0) {
                    list @ Ty::Builtin(..) => self.element_of(&list),
                    other => other,
                }),
                "flat" => Ty::array(self.element_of(&item())),
                "values" | "keys" if of == "Set" => Ty::builtin("Iterable", vec![item()]),
                "values" => Ty::builtin("Iterable", vec![item()]),
                "entries" => {
                    Ty::builtin("Iterable", vec![Ty::builtin("Tuple", vec![Ty::Primitive(Primitive::Number), item()])])
                }
                "reduce" | "reduceRight" => match argument(1) {
                    Ty::Unknown if arguments.len() < 2 => item(),
                    start => start,
                },
                "join" | "toString" => text(),
                "add" => Ty::builtin(of, own.to_vec()),
                "forEach" => Ty::nothing(),
                "next" => Ty::Unknown,
                "has" | "delete" | "some" | "every" | "includes" => Ty::Primitive(Primitive::Boolean),
                _ => Ty::Primitive(Primitive::Number),
            };
        }
        match (of, name) {
            ("String", "split" | "match") => Ty::array(text()),
            ("String", "charCodeAt" | "codePointAt" | "indexOf" | "lastIndexOf" | "search" | "localeCompare") => {
                Ty::Primitive(Primitive::Number)
            }
            ("String", "startsWith" | "endsWith" | "includes") | ("RegExp", "test") => {
                Ty::Primitive(Primitive::Boolean)
            }
            ("String", _) => text(),
            ("RegExp", "exec") => Ty::array(text()),
            (_, "toString" | "toISOString" | "toFixed" | "toLocaleString") => text(),
            ("Function", "bind") => Ty::Unknown,
            _ => Ty::Unknown,
        }
    }

    /// What calling `Object.keys` and its kin gives.
    pub(super) fn static_call(&self, of: &str, name: &str, file: u32, arguments: &[ExprId]) -> Ty {
        let argument = |index: usize| arguments.get(index).map_or(Ty::Unknown, |id| self.expr_type(file, *id));
        let text = || Ty::Primitive(Primitive::String);
        match (of, name) {
            ("Object", "keys" | "getOwnPropertyNames") => Ty::array(text()),
            ("Object", "values") => Ty::array(self.element_of(&argument(0))),
            ("Object", "entries") => Ty::array(Ty::builtin("Tuple", vec![text(), self.element_of(&argument(0))])),
            ("Object", "assign") => Ty::intersection_of((0..arguments.len()).map(argument).collect()),
            ("Object", "freeze" | "seal" | "preventExtensions" | "defineProperty" | "setPrototypeOf") => argument(0),
            ("Array", "from") if arguments.len() > 1 => Ty::array(self.plain_result(&argument(1))),
            ("Array", "from") => Ty::array(self.element_of(&argument(0))),
            ("Array", "of") => Ty::array(Ty::union((0..arguments.len()).map(argument))),
            ("Promise", "resolve") => Ty::builtin("Promise", vec![self.awaited(&argument(0))]),
            ("Promise", "all" | "allSettled") => match argument(0) {
                Ty::Builtin(tuple, items) if &*tuple == "Tuple" => {
                    let items = items.iter().map(|item| self.awaited(item)).collect();
                    Ty::builtin("Promise", vec![Ty::builtin("Tuple", items)])
                }
                list => Ty::builtin("Promise", vec![Ty::array(self.awaited(&self.element_of(&list)))]),
            },
            ("Promise", "race" | "any") => Ty::builtin("Promise", vec![self.awaited(&self.element_of(&argument(0)))]),
            ("JSON", "stringify") | ("String", _) => text(),
            ("Date" | "performance" | "Math" | "Number", _) => Ty::Primitive(Primitive::Number),
            ("Array", "isArray") => Ty::Primitive(Primitive::Boolean),
            _ => Ty::Unknown,
        }
    }

    /// Calling a global itself: `String(x)`, `Symbol()`.
    pub(super) fn global_call(&self, name: &str) -> Ty {
        match name {
            "String" | "atob" | "btoa" | "encodeURIComponent" | "decodeURIComponent" | "encodeURI" | "decodeURI" => {
                Ty::Primitive(Primitive::String)
            }
            "Number" | "parseInt" | "parseFloat" => Ty::Primitive(Primitive::Number),
            "Boolean" | "isNaN" | "isFinite" => Ty::Primitive(Primitive::Boolean),
            "Symbol" => Ty::Primitive(Primitive::Symbol),
            "BigInt" => Ty::Primitive(Primitive::BigInt),
            "Error" | "TypeError" | "RangeError" | "Date" => Ty::builtin(name, Vec::new()),
            "Array" => Ty::array(Ty::Unknown),
            "fetch" => Ty::builtin("Promise", vec![Ty::builtin("Response", Vec::new())]),
            _ => Ty::Unknown,
        }
    }

    /// What a built-in method hands to parameter `index` of a callback that is its argument `place`.
    pub(super) fn callback_parameter(&self, call: Gid, place: u32, index: u32) -> Option<Ty> {
        let Expr::Call { callee, arguments, .. } = self.world.expr(call.file, call.id) else { return None };
        let Expr::Member(object, name) = self.world.expr(call.file, *callee) else { return None };
        let object = self.expr_type(call.file, *object);
        let object = if matches!(object, Ty::Parameter(_)) { self.resolve_constraint(&object) } else { object };
        let parts: Vec<Ty> = object
            .parts()
            .iter()
            .map(|part| self.as_builtin(part, name))
            .filter_map(|part| self.callback_parameter_type(&part, name, call.file, arguments, place, index))
            .collect();
        if parts.is_empty() { None } else { Some(Ty::union(parts)) }
    }

    /// A type of the language in the place of a class that inherits the member from it.
    fn as_builtin(&self, ty: &Ty, name: &str) -> Ty {
        match (ty, self.slots(ty, name).first()) {
            (Ty::Instance(..), Some(Slot::Builtin(of, own))) => Ty::Builtin(of.clone(), own.clone()),
            _ => ty.clone(),
        }
    }

    fn callback_parameter_type(
        &self,
        of: &Ty,
        name: &str,
        file: u32,
        arguments: &[ExprId],
        place: u32,
        index: u32,
    ) -> Option<Ty> {
        let Ty::Builtin(kind, own) = of else {
            return matches!(of, Ty::Primitive(Primitive::String)).then(|| Ty::Primitive(Primitive::String));
        };
        if is_promise(kind) {
            let value = if name == "then" && place == 0 { own.first().cloned() } else { None };
            return Some(value.map_or(Ty::Unknown, |value| self.awaited(&value)));
        }
        if is_map(kind) {
            let order = [own.get(1), own.first()];
            return Some(order.get(index as usize).copied().flatten().cloned().unwrap_or(Ty::Unknown));
        }
        if !is_list(kind) && &**kind != "Tuple" {
            return None;
        }
        let item = self.element_of(of);
        let number = Ty::Primitive(Primitive::Number);
        Some(match (name, index) {
            ("reduce" | "reduceRight", 0) => {
                let start = arguments.get(1).map(|id| self.expr_type(file, *id));
                start.unwrap_or(item)
            }
            ("reduce" | "reduceRight", 1) | (_, 0) | ("sort" | "toSorted", _) => item,
            ("reduce" | "reduceRight", 2) | (_, 1) => number,
            _ => of.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_sorted() {
        assert!(GLOBALS.is_sorted());
        assert!(is_global("Map") && !is_global("map"));
    }
}
