// expects tapps:unreachable-code
pub fn double(number: u32) -> u32 {
    return number * 2;
    report(number);
}
