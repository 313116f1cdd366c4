// expects tapps:unreachable-code
func injected(count int) int {
	return count + 1
	count++
	return count
}
