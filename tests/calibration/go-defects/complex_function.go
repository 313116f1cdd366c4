// expects tapps:complex-block
func injected(a, b, c int) int {
	sum := 0
	if a > 0 && b > 0 {
		sum++
	}
	if a > 1 || b > 1 {
		sum++
	}
	if b > 2 && c > 2 {
		sum++
	}
	if b > 3 || c > 3 {
		sum++
	}
	if a > 4 && c > 4 {
		sum++
	}
	if a > 5 || c > 5 {
		sum++
	}
	if a > 6 && b > 6 {
		sum++
	}
	if b > 7 || c > 7 {
		sum++
	}
	switch sum {
	case 1:
		return a
	case 2:
		return b
	case 3:
		return c
	case 4:
		return a + b
	case 5:
		return b + c
	}
	return sum
}
