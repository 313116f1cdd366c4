//! What the project around a file tells about it.
