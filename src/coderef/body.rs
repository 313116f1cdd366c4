//! The hash by which two bodies are the same: stable between releases and machines.

/// FNV-1a of 64 bits, fed token by token.
#[derive(Debug, Clone, Copy)]
pub struct BodyHash(u64);

impl Default for BodyHash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl BodyHash {
    /// Adds one token; where one ends and the next begins is part of the hash.
    pub fn add_token(&mut self, text: &[u8]) {
        for byte in text.iter().chain(&[0xff]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    #[must_use]
    pub const fn finish(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_never_changes_and_sees_where_tokens_end() {
        let hash = |tokens: &[&str]| {
            let mut hash = BodyHash::default();
            tokens.iter().for_each(|token| hash.add_token(token.as_bytes()));
            hash.finish()
        };
        assert_eq!(hash(&[]), 14_695_981_039_346_656_037);
        assert_ne!(hash(&["ab", "c"]), hash(&["a", "bc"]));
    }
}
