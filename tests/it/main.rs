//! The one integration-test program; each module is a theme.

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod metrics_oracle;
