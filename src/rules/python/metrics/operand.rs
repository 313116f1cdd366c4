//! When two operands are one: Python's own equality over names, attributes and constants.

use std::borrow::Cow;

use ruff_python_ast::{Expr, ExprStringLiteral, Number, StringLiteral};
use ruff_text_size::Ranged as _;

/// What an operand is counted by. A name, an attribute and a string of the same text are one operand, and so are
/// `1`, `1.0` and `True`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum OperandKey<'a> {
    Text(Cow<'a, str>),
    Bytes(Cow<'a, [u8]>),
    Int(u64),
    /// Little-endian digits to the base 2³², without leading zeros; for integers above `u64`.
    Big(Vec<u32>),
    /// Bits of a number that is not a whole one.
    Float(u64),
    /// Bits of the imaginary part.
    Imaginary(u64),
    None,
    Ellipsis,
}

/// The key of an operand, or `None` when the operand equals nothing but itself.
pub(super) fn operand_key<'a>(text: &'a str, operand: &'a Expr) -> Option<OperandKey<'a>> {
    Some(match operand {
        Expr::Name(node) => OperandKey::Text(Cow::Borrowed(node.id.as_str())),
        Expr::Attribute(node) => OperandKey::Text(Cow::Borrowed(node.attr.as_str())),
        Expr::StringLiteral(node) => OperandKey::Text(string(text, node)),
        Expr::BytesLiteral(node) => match node.value.as_slice() {
            [one] => OperandKey::Bytes(Cow::Borrowed(one.as_slice())),
            many => OperandKey::Bytes(Cow::Owned(many.iter().flat_map(|part| part.as_slice()).copied().collect())),
        },
        Expr::NumberLiteral(node) => match &node.value {
            Number::Int(int) => int.as_u64().map_or_else(|| big_integer_key(&int.to_string()), OperandKey::Int),
            Number::Float(value) => float_key(*value),
            Number::Complex { imag, .. } if *imag == 0.0 => OperandKey::Int(0),
            Number::Complex { imag, .. } => OperandKey::Imaginary(imag.to_bits()),
        },
        Expr::BooleanLiteral(node) => OperandKey::Int(u64::from(node.value)),
        Expr::NoneLiteral(_) => OperandKey::None,
        Expr::EllipsisLiteral(_) => OperandKey::Ellipsis,
        _ => return None,
    })
}

fn float_key(value: f64) -> OperandKey<'static> {
    // 2^64 and above, infinity aside, are whole numbers; below, `as` is exact for whole ones.
    const LIMIT: f64 = 18_446_744_073_709_551_616.0;
    if value.is_finite() && value >= LIMIT {
        return big_integer_key(&format!("{value:.0}"));
    }
    if value.is_finite() && libm::floor(value) == value {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole, not negative, below 2^64"
        )]
        return OperandKey::Int(value as u64);
    }
    OperandKey::Float(value.to_bits())
}

/// An integer literal as digits to the base 2³², so that hexadecimal, decimal and floats compare.
fn big_integer_key(literal: &str) -> OperandKey<'static> {
    // Python itself refuses decimal literals beyond this many digits.
    const LONGEST: usize = 4300;
    let digits: String = literal.chars().filter(|&c| c != '_').collect();
    let (radix, digits) = match digits.get(..2) {
        Some("0x" | "0X") => (16, &digits[2..]),
        Some("0o" | "0O") => (8, &digits[2..]),
        Some("0b" | "0B") => (2, &digits[2..]),
        _ => (10, digits.as_str()),
    };
    let digits = digits.trim_start_matches('0');
    if digits.len() > LONGEST {
        return OperandKey::Text(Cow::Owned(format!("\0{radix}:{}", digits.to_ascii_lowercase())));
    }
    let mut limbs: Vec<u32> = Vec::new();
    for digit in digits.chars().filter_map(|c| c.to_digit(radix)) {
        let mut carry = u64::from(digit);
        for limb in &mut limbs {
            let value = u64::from(*limb) * u64::from(radix) + carry;
            #[expect(clippy::cast_possible_truncation, reason = "the low half is what is meant")]
            {
                *limb = value as u32;
            }
            carry = value >> 32;
        }
        if carry > 0 {
            limbs.push(u32::try_from(carry).unwrap_or(u32::MAX));
        }
    }
    OperandKey::Big(limbs)
}

/// The value of a string. Lone surrogates, which no Rust string can hold and which the parser therefore replaces,
/// are told apart again by moving them to the last private-use plane.
fn string<'a>(text: &str, node: &'a ExprStringLiteral) -> Cow<'a, str> {
    let value = node.value.to_str();
    if !value.contains(char::REPLACEMENT_CHARACTER) {
        return Cow::Borrowed(value);
    }
    let restored = node.value.iter().map(|part| with_surrogates(text, part)).collect::<String>();
    Cow::Owned(restored)
}

fn with_surrogates(text: &str, part: &StringLiteral) -> String {
    let raw = text.get(part.range().to_std_range()).unwrap_or_default();
    let mut written = if part.flags.prefix().is_raw() { Vec::new() } else { replacements(raw) }.into_iter();
    part.as_str()
        .chars()
        .map(|c| if c == char::REPLACEMENT_CHARACTER { written.next().flatten().unwrap_or(c) } else { c })
        .collect()
}

/// For each replacement character that reading `raw` yields: the stand-in of the surrogate that was written, if one.
fn replacements(raw: &str) -> Vec<Option<char>> {
    let mut found = Vec::new();
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        if c == char::REPLACEMENT_CHARACTER {
            found.push(None);
        }
        if c != '\\' {
            continue;
        }
        let digits = match chars.next() {
            Some('u') => 4,
            Some('U') => 8,
            Some('N') => {
                if chars.as_str().to_ascii_uppercase().starts_with("{REPLACEMENT CHARACTER}") {
                    found.push(None);
                }
                continue;
            }
            _ => continue,
        };
        let hex: String = chars.by_ref().take(digits).collect();
        match u32::from_str_radix(&hex, 16) {
            Ok(point @ 0xD800..=0xDFFF) => found.push(char::from_u32(point - 0xD800 + 0x10_F800)),
            Ok(0xFFFD) => found.push(None),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("x", "'x'", true)]
    #[case("x", "a.x", true)]
    #[case("x", "b'x'", false)]
    #[case("1", "1.0", true)]
    #[case("1", "True", true)]
    #[case("0", "0j", true)]
    #[case("1", "1j", false)]
    #[case("1.5", "1.50", true)]
    #[case("0xff_ff", "65535", true)]
    #[case("18446744073709551616", "0x1_0000000000000000", true)]
    #[case("18446744073709551616", "18446744073709551616.0", true)]
    #[case("1e400", "1e500", true)]
    #[case("'ab'", "'a' 'b'", true)]
    #[case("b'ab'", "b'a' b'b'", true)]
    #[case("None", "...", false)]
    #[case(r"'\ud800'", r"'\udbff'", false)]
    #[case(r"'\ud800'", r"'\uD800'", true)]
    #[case(r"'\ud800'", r"'\ufffd'", false)]
    #[case(r"'\ufffd\ud800'", r"'\N{REPLACEMENT CHARACTER}\U0000D800'", true)]
    fn equality_is_pythons(#[case] left: &str, #[case] right: &str, #[case] equal: bool) {
        let parse = |text: &str| ruff_python_parser::parse_expression(text).unwrap();
        let (a, b) = (parse(left), parse(right));
        assert_eq!(operand_key(left, a.expr()).unwrap() == operand_key(right, b.expr()).unwrap(), equal);
    }

    #[test]
    fn other_expressions_equal_nothing() {
        let call = ruff_python_parser::parse_expression("f()").unwrap();
        assert_eq!(operand_key("f()", call.expr()), None);
    }
}
