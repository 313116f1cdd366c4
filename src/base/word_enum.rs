//! Enums whose variants are words: each variant stands once, beside its word.

/// Declares an enum whose variants are words, in the order of presentation, with the way to the word and back.
///
/// One that is serialised is declared by [`wire_enum!`](crate::wire_enum).
#[macro_export]
macro_rules! word_enum {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $name:ident {
            $($(#[$of_variant:meta])* $variant:ident = $word:literal,)+
        }
    ) => {
        $(#[$attribute])*
        $visibility enum $name {
            $($(#[$of_variant])* $variant,)+
        }

        impl $name {
            /// All of them, in the order of presentation.
            $visibility const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];

            /// The word for it: on the wire, in configuration and on the command line.
            #[must_use]
            $visibility const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// The one that a word stands for.
            #[must_use]
            $visibility fn from_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }

            /// The one that a word stands for.
            ///
            /// # Errors
            /// `invalid_argument` that says `unknown` of the word, with the nearest known words.
            $visibility fn parse_word(word: &str, unknown: &str) -> $crate::Result<Self> {
                Self::from_word(word).ok_or_else(|| {
                    $crate::Error::invalid(format!("{unknown} `{word}`"))
                        .hint($crate::nearest::hint(word, Self::ALL.map(Self::as_str)))
                })
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

/// As [`word_enum!`](macro@crate::word_enum), for an enum that is serialised as its word.
#[macro_export]
macro_rules! wire_enum {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $name:ident {
            $($(#[$of_variant:meta])* $variant:ident = $word:literal,)+
        }
    ) => {
        $crate::word_enum! {
            $(#[$attribute])*
            $visibility enum $name {
                $($(#[$of_variant])* #[serde(rename = $word)] $variant = $word,)+
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    crate::wire_enum! {
        /// Things to eat.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
        enum Food {
            #[default]
            Bread = "bread",
            /// From a cow.
            HardCheese = "hard cheese",
        }
    }

    #[test]
    fn a_variant_has_one_word_everywhere() {
        assert_eq!(Food::ALL, [Food::Bread, Food::HardCheese]);
        assert_eq!(Food::ALL.map(Food::as_str), ["bread", "hard cheese"]);
        assert_eq!(Food::from_word("hard cheese"), Some(Food::HardCheese));
        assert_eq!(Food::from_word("HardCheese"), None);
        let error = Food::parse_word("braed", "nobody sells").unwrap_err();
        assert_eq!(error.to_string(), "nobody sells `braed`");
        assert_eq!(error.body().hint.as_deref(), Some("did you mean bread?"));
        assert_eq!(Food::HardCheese.to_string(), "hard cheese");
        assert_eq!(serde_json::to_value(Food::HardCheese).unwrap(), "hard cheese");
        assert_eq!(serde_json::from_str::<Food>("\"bread\"").unwrap(), Food::default());
    }
}
