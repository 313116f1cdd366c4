// expects tapps:same-branches
pub fn fee(express: bool, weight: u32) -> u32 {
    if express {
        weight * 4 + 100
    } else {
        weight * 4 + 100
    }
}
