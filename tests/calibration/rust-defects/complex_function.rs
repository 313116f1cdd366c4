// expects tapps:complex-block
pub fn rank(a: u32, b: u32, c: u32) -> u32 {
    if a > 1 && b > 1 || c == 1 {
        return 1;
    }
    if a > 2 && b > 2 || c == 2 {
        return 2;
    }
    if a > 3 && b > 3 || c == 3 {
        return 3;
    }
    if a > 4 && b > 4 || c == 4 {
        return 4;
    }
    if a > 5 && b > 5 || c == 5 {
        return 5;
    }
    if a > 6 && b > 6 || c == 6 {
        return 6;
    }
    if a > 7 && b > 7 || c == 7 {
        return 7;
    }
    if a > 8 && b > 8 || c == 8 {
        return 8;
    }
    0
}
