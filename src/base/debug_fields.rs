//! `Debug` for structs with fields that have no text, or that nobody may read.

/// Implements `Debug` for a struct with the named fields alone.
#[macro_export]
macro_rules! debug_fields {
    ($name:ident { $($field:ident),* }) => {
        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_struct(stringify!($name))$(.field(stringify!($field), &self.$field))*.finish_non_exhaustive()
            }
        }
    };
}

#[cfg(test)]
mod tests {
    struct Login {
        user: &'static str,
        #[expect(dead_code, reason = "it is there to be left out")]
        password: &'static str,
    }

    crate::debug_fields!(Login { user });

    #[test]
    fn other_fields_are_not_shown() {
        assert_eq!(format!("{:?}", Login { user: "ada", password: "lovelace" }), "Login { user: \"ada\", .. }");
    }
}
