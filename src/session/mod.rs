//! The call log and what is read from it.
