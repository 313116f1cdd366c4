//! Locked tools: fetched, unpacked, verified, run.
