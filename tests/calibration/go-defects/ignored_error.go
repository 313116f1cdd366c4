// expects tapps:ignored-error
func injectedFails() error { return nil }

func injectedCaller() {
	injectedFails()
}
