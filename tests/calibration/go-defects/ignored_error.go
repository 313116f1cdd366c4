// expects tapps:ignored-error
func injectedFails(cause error) error { return cause }

func injectedCaller() {
	injectedFails(nil)
}
