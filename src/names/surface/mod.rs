//! What a Python module can hold when it runs: every name that any of its branches binds, and whether there may be more.

mod class;
mod fields;
mod function;
mod getattr;
mod model;
mod read;
mod signature;
mod table;
mod written;

pub(crate) use fields::ClassFields;
pub(crate) use getattr::{ModuleSource, raises_for};
pub(crate) use model::{
    BoundName, ClassSurface, Constructor, FunctionKind, FunctionSurface, Gives, ModuleSurface, Openness,
};
pub(crate) use read::{ModulePlace, read_surface};
pub(crate) use signature::{CallArguments, Misfit, Signature};
