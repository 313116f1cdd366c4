//! Sums over vectors, always taken in the same order: the same numbers on every machine.

/// Partial sums that a processor adds at once.
const LANES: usize = 8;

/// The scalar product; of two unit vectors it is the cosine of the angle between them.
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0_f32; LANES];
    let (mut left, mut right) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    for (a, b) in left.by_ref().zip(right.by_ref()) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    let rest: f32 = left.remainder().iter().zip(right.remainder()).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}

/// Adds a vector to a sum of vectors.
pub(super) fn add(sum: &mut [f32], vector: &[f32], weight: f32) {
    for (sum, value) in sum.iter_mut().zip(vector) {
        *sum += value * weight;
    }
}

/// The vector of length one in the same direction; zero for one without a direction, or with a number that is none.
pub(super) fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = dot(&vector, &vector).sqrt();
    let scale = if length.is_normal() { 1.0 / length } else { 0.0 };
    for value in &mut vector {
        *value = if scale > 0.0 { *value * scale } else { 0.0 };
    }
    vector
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_take_every_number() {
        let a: Vec<f32> = (1..=11_u8).map(f32::from).collect();
        assert_eq!(dot(&a, &a), 506.0);
        assert_eq!(dot(&[1.0, 2.0], &[3.0, 4.0]), 11.0);
        assert_eq!(dot(&[], &[]), 0.0);
    }

    #[test]
    fn unit_vectors_have_length_one_or_are_zero() {
        assert_eq!(unit(vec![3.0, 4.0]), [0.6, 0.8]);
        for none in [vec![0.0, 0.0], vec![f32::NAN, 1.0], vec![f32::INFINITY, 1.0], vec![1e30, 1e30]] {
            assert_eq!(unit(none.clone()), [0.0, 0.0], "{none:?}");
        }
    }

    #[test]
    fn sums_are_weighted() {
        let mut sum = vec![1.0, 1.0];
        add(&mut sum, &[2.0, 4.0], 0.5);
        assert_eq!(sum, [2.0, 3.0]);
    }
}
