// expects tapps:first-removed-in-loop
pub fn sum_all(mut numbers: Vec<u32>) -> u32 {
    let mut sum = 0;
    while !numbers.is_empty() {
        sum += numbers.remove(0);
    }
    sum
}
