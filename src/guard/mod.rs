//! What stands between a caller and the machine: the project boundary.
