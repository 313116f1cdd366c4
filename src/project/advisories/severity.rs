//! The base score of a CVSS 3 vector, after the equations of its specification.

/// The base score, 0.0 to 10.0, of a vector such as `CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H`; `None` for other versions.
pub(super) fn base_score(vector: &str) -> Option<f64> {
    let rest = vector.strip_prefix("CVSS:3.0/").or_else(|| vector.strip_prefix("CVSS:3.1/"))?;
    let value = |name: &str| {
        rest.split('/').filter_map(|part| part.split_once(':')).find(|(key, _)| *key == name).map(|(_, value)| value)
    };
    let changed = value("S")? == "C";
    let weigh = |name: &str, weights: &[(&str, f64)]| {
        let value = value(name)?;
        weights.iter().find(|(key, _)| *key == value).map(|(_, weight)| *weight)
    };
    let vector = weigh("AV", &[("N", 0.85), ("A", 0.62), ("L", 0.55), ("P", 0.2)])?;
    let complexity = weigh("AC", &[("L", 0.77), ("H", 0.44)])?;
    let rights = if changed { [("N", 0.85), ("L", 0.68), ("H", 0.5)] } else { [("N", 0.85), ("L", 0.62), ("H", 0.27)] };
    let rights = weigh("PR", &rights)?;
    let person = weigh("UI", &[("N", 0.85), ("R", 0.62)])?;
    let loss = |name| weigh(name, &[("H", 0.56), ("L", 0.22), ("N", 0.0)]);
    let whole = 1.0 - (1.0 - loss("C")?) * (1.0 - loss("I")?) * (1.0 - loss("A")?);
    let impact = if changed { 7.52 * (whole - 0.029) - 3.25 * libm::pow(whole - 0.02, 15.0) } else { 6.42 * whole };
    if impact <= 0.0 {
        return Some(0.0);
    }
    let exploitability = 8.22 * vector * complexity * rights * person;
    let sum = if changed { 1.08 * (impact + exploitability) } else { impact + exploitability };
    Some(round_up(sum.min(10.0)))
}

/// The smallest tenth that is not below, without the noise of binary fractions.
fn round_up(score: f64) -> f64 {
    let whole = (score * 100_000.0).round();
    if whole % 10_000.0 == 0.0 { whole / 100_000.0 } else { ((whole / 10_000.0).floor() + 1.0) / 10.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", Some(9.8))]
    #[case("CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N", Some(6.1))]
    #[case("CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H", Some(7.5))]
    #[case("CVSS:3.1/AV:L/AC:H/PR:L/UI:N/S:U/C:N/I:L/A:N", Some(2.5))]
    #[case("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H", Some(10.0))]
    #[case("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N", Some(0.0))]
    #[case("CVSS:4.0/AV:N", None)]
    #[case("CVSS:3.1/AV:N", None)]
    fn vectors(#[case] vector: &str, #[case] expected: Option<f64>) {
        assert_eq!(base_score(vector), expected);
    }
}
