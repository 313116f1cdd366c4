//! The table of a model: a row of numbers for each token, in a file of the safetensors format.
//!
//! The file begins with the length of its header (eight bytes), then comes the header (JSON: type, shape and place of each
//! tensor), then the numbers. Nothing that the header says is believed before it has been held against the bytes.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use serde_json::Value;

/// Bytes that tell the length of the header.
const LENGTH: usize = 8;
/// Longest header that is read; those of such models have some hundred bytes.
const MOST_HEADER: usize = 1 << 20;
/// The one entry of a header that is no tensor.
const NOTES: &str = "__metadata__";

/// What a number is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
enum NumberFormat {
    F32,
    F16,
    BF16,
    I8,
    F64,
    I32,
    I64,
}

/// A tensor as the header describes it.
#[derive(Debug, Deserialize)]
struct Tensor {
    dtype: NumberFormat,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

/// A row of numbers for each token.
#[derive(Debug)]
pub(super) struct EmbeddingTable {
    bytes: Vec<u8>,
    /// Where the rows are.
    place: Range<usize>,
    kind: NumberFormat,
    rows: usize,
    dimensions: usize,
    /// The row of each token, where several share one.
    rows_of: Option<Vec<usize>>,
    /// What the vector of each token weighs, where they differ.
    weights: Option<Vec<f32>>,
}

impl EmbeddingTable {
    /// Reads the table out of a whole file: its one tensor of two dimensions; beside it a model may have `mapping`, the row
    /// of each token, and `weights`.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub(super) fn parse_table(bytes: Vec<u8>) -> Result<Self, String> {
        let (tensors, start) = parse_tensor_header(&bytes)?;
        let mut found: Option<(&String, &Tensor, usize, usize)> = None;
        for (name, tensor) in &tensors {
            let [rows, dimensions] = tensor.shape[..] else { continue };
            if let Some((other, ..)) = found {
                return Err(format!("`{other}` and `{name}` both have two dimensions, and one table is expected"));
            }
            found = Some((name, tensor, rows, dimensions));
        }
        let (name, tensor, rows, dimensions) = found.ok_or("no tensor has two dimensions")?;
        if !matches!(tensor.dtype, NumberFormat::F32 | NumberFormat::F16 | NumberFormat::BF16 | NumberFormat::I8) {
            return Err(format!("the numbers of `{name}` are {:?}, and not F32, F16, BF16 or I8", tensor.dtype));
        }
        if rows == 0 || dimensions == 0 {
            return Err(format!("`{name}` is empty"));
        }
        let place = tensor_range(&bytes, start, name, tensor)?;
        let rows_of = tensor_values(&bytes, start, &tensors, "mapping", count_from_bytes)?;
        if let Some(row) = rows_of.iter().flatten().find(|row| **row >= rows) {
            return Err(format!("`mapping` names row {row} of {rows}"));
        }
        let weights = tensor_values(&bytes, start, &tensors, "weights", |kind, number| Some(number_of(kind, number)))?;
        let kind = tensor.dtype;
        Ok(Self { place, kind, rows, dimensions, rows_of, weights, bytes })
    }

    /// Numbers in a row.
    pub(super) const fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Tokens that have a row.
    pub(super) fn tokens(&self) -> usize {
        self.rows_of.as_ref().map_or(self.rows, Vec::len)
    }

    /// Adds the row of a token to a sum; a token without one changes nothing.
    pub(super) fn add_token_row(&self, token: usize, sum: &mut [f32]) {
        let Some(row) = self.rows_of.as_ref().map_or(Some(token), |rows| rows.get(token).copied()) else { return };
        let size = self.kind.size();
        let width = self.dimensions * size;
        let table = self.bytes.get(self.place.clone()).unwrap_or_default();
        let Some(row) = row.checked_mul(width).and_then(|start| table.get(start..start.checked_add(width)?)) else {
            return;
        };
        let weight = self.weights.as_ref().and_then(|weights| weights.get(token)).copied().unwrap_or(1.0);
        for (sum, number) in sum.iter_mut().zip(row.chunks_exact(size)) {
            *sum += number_of(self.kind, number) * weight;
        }
    }
}

impl NumberFormat {
    const fn size(self) -> usize {
        match self {
            Self::I8 => 1,
            Self::F16 | Self::BF16 => 2,
            Self::F32 | Self::I32 => 4,
            Self::F64 | Self::I64 => 8,
        }
    }
}

/// The tensors that a file describes, and where their bytes begin.
fn parse_tensor_header(bytes: &[u8]) -> Result<(BTreeMap<String, Tensor>, usize), String> {
    let (length, rest) = bytes.split_first_chunk::<LENGTH>().ok_or("the file ends before its header begins")?;
    let length = u64::from_le_bytes(*length);
    let header = usize::try_from(length)
        .ok()
        .and_then(|length| rest.get(..length))
        .ok_or_else(|| format!("the header is said to have {length} bytes, and {} bytes follow", rest.len()))?;
    if header.len() > MOST_HEADER {
        return Err(format!("the header has {length} bytes, more than {MOST_HEADER}"));
    }
    let entries: BTreeMap<String, Value> = serde_json::from_slice(header)
        .map_err(|error| format!("the header is not what safetensors files have: {error}"))?;
    let tensors = entries.into_iter().filter(|(name, _)| name != NOTES).map(|(name, described)| {
        match serde_json::from_value(described) {
            Ok(tensor) => Ok((name, tensor)),
            Err(error) => Err(format!("`{name}` cannot be read: {error}")),
        }
    });
    Ok((tensors.collect::<Result<_, String>>()?, LENGTH + header.len()))
}

/// Where the bytes of a tensor are, which are as many as its shape takes.
fn tensor_range(bytes: &[u8], start: usize, name: &str, tensor: &Tensor) -> Result<Range<usize>, String> {
    let (first, last) = tensor.data_offsets;
    let needed = tensor.shape.iter().try_fold(tensor.dtype.size(), |size, side| size.checked_mul(*side));
    let place = first.checked_add(start).zip(last.checked_add(start)).map(|(first, last)| first..last);
    place.filter(|place| bytes.get(place.clone()).is_some_and(|found| Some(found.len()) == needed)).ok_or_else(|| {
        format!("the bytes of `{name}` are not in the file, or not as many as its shape {:?} takes", tensor.shape)
    })
}

/// A tensor of one dimension, where there is one of that name.
fn tensor_values<T>(
    bytes: &[u8],
    start: usize,
    tensors: &BTreeMap<String, Tensor>,
    name: &str,
    read: impl Fn(NumberFormat, &[u8]) -> Option<T>,
) -> Result<Option<Vec<T>>, String> {
    let Some(tensor) = tensors.get(name).filter(|tensor| tensor.shape.len() == 1) else { return Ok(None) };
    let place = tensor_range(bytes, start, name, tensor)?;
    let numbers = bytes.get(place).unwrap_or_default().chunks_exact(tensor.dtype.size());
    let read = numbers.map(|number| read(tensor.dtype, number)).collect::<Option<Vec<T>>>();
    read.map(Some).ok_or_else(|| format!("`{name}` has numbers that cannot stand there"))
}

/// A number that counts something.
fn count_from_bytes(kind: NumberFormat, number: &[u8]) -> Option<usize> {
    match kind {
        NumberFormat::I32 => usize::try_from(i32::from_le_bytes(number.try_into().ok()?)).ok(),
        NumberFormat::I64 => usize::try_from(i64::from_le_bytes(number.try_into().ok()?)).ok(),
        _ => None,
    }
}

/// A number as it is calculated with.
fn number_of(kind: NumberFormat, number: &[u8]) -> f32 {
    match (kind, number) {
        (NumberFormat::F32, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]),
        (NumberFormat::F16, &[a, b]) => half_to_f32(u16::from_le_bytes([a, b])),
        (NumberFormat::BF16, &[a, b]) => f32::from_bits(u32::from(u16::from_le_bytes([a, b])) << 16),
        (NumberFormat::I8, &[a]) => f32::from(i8::from_le_bytes([a])),
        (NumberFormat::I32, &[a, b, c, d]) => i32::from_le_bytes([a, b, c, d]) as f32,
        (NumberFormat::F64, &[a, b, c, d, e, f, g, h]) => f64::from_le_bytes([a, b, c, d, e, f, g, h]) as f32,
        (NumberFormat::I64, &[a, b, c, d, e, f, g, h]) => i64::from_le_bytes([a, b, c, d, e, f, g, h]) as f32,
        // Slices are always as long as their kind.
        _ => 0.0,
    }
}

/// A number of sixteen bits: one for the sign, five for the power of two, ten for the rest.
fn half_to_f32(bits: u16) -> f32 {
    let (sign, power, rest) = (u32::from(bits >> 15) << 31, u32::from(bits >> 10 & 0x1f), u32::from(bits & 0x3ff));
    match power {
        // Small numbers count in steps of 2^-24.
        0 => f32::from_bits((rest as f32 / 16_777_216.0).to_bits() | sign),
        0x1f => f32::from_bits(sign | 0x7f80_0000 | rest << 13),
        _ => f32::from_bits(sign | (power + 112) << 23 | rest << 13),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, numbers: &[u8]) -> Vec<u8> {
        [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), numbers].concat()
    }

    fn row(table: &EmbeddingTable, token: usize) -> Vec<f32> {
        let mut sum = vec![0.0; table.dimensions()];
        table.add_token_row(token, &mut sum);
        sum
    }

    #[test]
    fn halves_are_what_they_stand_for() {
        for (bits, number) in [
            (0x0000, 0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_95),
            (0x7bff, 65_504.0),
            (0x0400, 6.103_515_6e-5),
            (0x0001, 5.960_464_5e-8),
            (0x83ff, -6.097_555e-5),
            (0x7c00, f32::INFINITY),
        ] {
            assert_eq!(half_to_f32(bits), number, "{bits:#x}");
        }
        assert!(half_to_f32(0x7e00).is_nan() && half_to_f32(0x8000).is_sign_negative());
    }

    #[test]
    fn rows_are_read_in_every_kind() {
        let f32s: Vec<u8> = [1.0_f32, 2.0, 3.0, 4.0].iter().flat_map(|number| number.to_le_bytes()).collect();
        let kinds: [(&str, &[u8]); 4] = [
            ("F32", &f32s),
            ("F16", &[0x00, 0x3c, 0x00, 0x40, 0x00, 0x42, 0x00, 0x44]),
            ("BF16", &[0x80, 0x3f, 0x00, 0x40, 0x40, 0x40, 0x80, 0x40]),
            ("I8", &[1, 2, 3, 4]),
        ];
        for (kind, numbers) in kinds {
            let header = format!(
                r#"{{"__metadata__":{{"a":"b"}},"any":{{"dtype":"{kind}","shape":[2,2],"data_offsets":[0,{}]}}}}"#,
                numbers.len()
            );
            let table = EmbeddingTable::parse_table(file(&header, numbers)).unwrap();
            assert_eq!((table.tokens(), row(&table, 0), row(&table, 1)), (2, vec![1.0, 2.0], vec![3.0, 4.0]), "{kind}");
            assert_eq!(row(&table, 2), [0.0, 0.0]);
            assert_eq!(row(&table, usize::MAX), [0.0, 0.0]);
        }
    }

    #[test]
    fn tokens_share_rows_and_have_weights() {
        let header = r#"{"embeddings":{"dtype":"I8","shape":[2,1],"data_offsets":[0,2]},
            "mapping":{"dtype":"I32","shape":[3],"data_offsets":[2,14]},
            "weights":{"dtype":"F64","shape":[3],"data_offsets":[14,38]}}"#;
        let mapping = [1_i32, 0, 1].map(i32::to_le_bytes).concat();
        let weights = [1.0_f64, 0.5, 2.0].map(f64::to_le_bytes).concat();
        let numbers = [&[10, 20][..], &mapping, &weights].concat();
        let table = EmbeddingTable::parse_table(file(header, &numbers)).unwrap();
        assert_eq!(table.tokens(), 3);
        assert_eq!([0, 1, 2].map(|token| row(&table, token)[0]), [20.0, 5.0, 40.0]);
        let astray = numbers.iter().enumerate().map(|(at, byte)| if at == 2 { 2 } else { *byte }).collect::<Vec<_>>();
        assert_eq!(EmbeddingTable::parse_table(file(header, &astray)).unwrap_err(), "`mapping` names row 2 of 2");
    }

    #[test]
    fn what_a_header_claims_is_not_believed() {
        let one = |shape: &str, offsets: &str| {
            format!(r#"{{"t":{{"dtype":"F32","shape":{shape},"data_offsets":{offsets}}}}}"#)
        };
        let mut endless = (1_u64 << 60).to_le_bytes().to_vec();
        endless.extend(b"{}");
        let long = format!(r#"{{"{}":1}}"#, "x".repeat(MOST_HEADER));
        let largest = usize::MAX;
        for (bytes, said) in [
            (Vec::new(), "the file ends before its header begins"),
            (vec![1; 7], "the file ends before its header begins"),
            (endless, "the header is said to have 1152921504606846976 bytes, and 2 bytes follow"),
            (file(&long, &[]), "more than 1048576"),
            (file("[]", &[]), "the header is not what safetensors files have"),
            (file("{}", &[]), "no tensor has two dimensions"),
            (file(&"[".repeat(100_000), &[]), "the header is not what safetensors files have"),
            (file(&one("[4]", "[0,16]"), &[0; 16]), "no tensor has two dimensions"),
            (file(&one("[2,2]", "[0,16]"), &[0; 15]), "are not in the file"),
            (file(&one("[2,2]", "[0,8]"), &[0; 16]), "are not in the file"),
            (file(&one("[2,2]", "[16,0]"), &[0; 16]), "are not in the file"),
            (file(&one("[2,2]", &format!("[{largest},{largest}]")), &[0; 16]), "are not in the file"),
            (file(&one(&format!("[{largest},{largest}]"), "[0,16]"), &[0; 16]), "are not in the file"),
            (file(&one("[0,2]", "[0,0]"), &[]), "`t` is empty"),
            (file(&one("[2,-2]", "[0,16]"), &[0; 16]), "`t` cannot be read"),
            (file(&one("[2,2]", "[0,16]").replace("F32", "I64"), &[0; 16]), "and not F32, F16, BF16 or I8"),
            (file(&one("[2,2]", "[0,16]").replace("F32", "Q4"), &[0; 16]), "`t` cannot be read"),
        ] {
            let error = EmbeddingTable::parse_table(bytes).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
        let two = r#"{"a":{"dtype":"I8","shape":[1,1],"data_offsets":[0,1]},"b":{"dtype":"I8","shape":[1,1],"data_offsets":[0,1]}}"#;
        assert!(
            EmbeddingTable::parse_table(file(two, &[1]))
                .unwrap_err()
                .starts_with("`a` and `b` both have two dimensions")
        );
    }
}
