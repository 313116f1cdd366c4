//! Attestations: a verdict with everything that made it, in a form that another machine can check by doing it again.

mod dependencies;
mod difference;
mod envelope;
mod make;
mod signature;
mod statement;
mod verify;

pub use difference::Difference;
pub use envelope::{Envelope, EnvelopeSignature, PAYLOAD_TYPE};
pub use make::{attest_change, attest_gate};
pub use signature::check_signature;
pub use statement::{AttestedChange, AttestedRequest, PREDICATE_TYPE, Predicate, Statement, Subject};
pub use verify::{AttestationCheck, AttestationOutcome, verify_attestation};
