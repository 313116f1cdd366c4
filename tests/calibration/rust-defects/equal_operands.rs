// expects tapps:equal-operands
pub fn is_inside(start: u32, end: u32, at: u32) -> bool {
    start <= at && end >= end
}
