// expects tapps:deep-nesting
pub fn count_all(rows: &[Vec<Vec<Option<u32>>>]) -> u32 {
    let mut sum = 0;
    for row in rows {
        for cell in row {
            for value in cell {
                if let Some(value) = value {
                    if *value > 2 {
                        while sum < *value {
                            sum += 1;
                        }
                    }
                }
            }
        }
    }
    sum
}
