// expects tapps:syntax-error
pub fn total(prices: &[u32) -> usize {
    prices.len()
}
