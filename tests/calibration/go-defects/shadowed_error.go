// expects tapps:shadowed-error
func injected(open func(bool) (int, error), again bool) (int, error) {
	count, err := open(false)
	if again {
		more, err := open(true)
		report(more, err)
	}
	return count, err
}
