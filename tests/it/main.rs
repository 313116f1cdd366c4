//! The one integration-test program; each module is a theme.

mod secrets;
