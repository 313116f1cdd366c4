//! The schema of a tool's results, made when it is first asked for: to make those of all tools takes as long as the rest of a start.

use std::sync::{Arc, LazyLock};

use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};

use super::schema;

/// One shape that a result can have.
pub type Shape = fn(&mut SchemaGenerator) -> Schema;

type Object = Arc<Map<String, Value>>;

/// A schema that all clones make once between them.
#[derive(Clone)]
pub struct OutputSchema(Arc<LazyLock<Object, Box<dyn FnOnce() -> Object + Send>>>);

tapps_base::debug_fields!(OutputSchema {});

impl OutputSchema {
    /// The schema of a result with one of these shapes; nothing is made yet.
    #[must_use]
    pub fn of_shapes(shapes: &[Shape]) -> Self {
        let shapes = shapes.to_vec();
        Self(Arc::new(LazyLock::new(Box::new(move || schema::output_of(&shapes)))))
    }

    /// Makes it, where that has not been done.
    pub fn make(&self) {
        LazyLock::force(&self.0);
    }

    /// The schema.
    #[must_use]
    pub fn object(&self) -> &Object {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn a_schema_is_made_once_when_it_is_first_asked_for() {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let made = || MADE.load(Ordering::Relaxed);
        let schema = OutputSchema::of_shapes(&[|generator| {
            MADE.fetch_add(1, Ordering::Relaxed);
            generator.subschema_for::<u32>()
        }]);
        let clone = schema.clone();
        assert_eq!(made(), 0);
        assert_eq!(schema.object()["anyOf"][0]["type"], "integer");
        clone.make();
        assert!(Arc::ptr_eq(schema.object(), clone.object()));
        assert_eq!(made(), 1);
    }
}
