// expects tapps:predictable-secret
pub fn session_token() -> String {
    let mut numbers = fastrand::Rng::new();
    std::iter::repeat_with(|| numbers.alphanumeric()).take(32).collect()
}
