//! Contracts about imports: which part of a project may import which, judged on the proven graph.

mod acyclic;
mod breach;
mod contract;
mod contract_fault;
mod guarded;
mod import_graph;
mod judge;
mod layer_line;
mod may_import;
mod module_names;
mod module_pattern;
mod overview;
mod reach;
mod words;

pub use breach::{Breach, ImportLink};
pub use contract_fault::ContractFault;
pub use import_graph::{ImportFile, ImportGraph, UnresolvedImport};
pub use judge::{ArchitectureVerdict, ContractVerdict, judge_architecture};
pub use may_import::{ForbiddenImport, forbidden_by_contracts};
pub use overview::{LayerEdge, LayerOverview, LayerRow, guess_layers, overview_picture};
