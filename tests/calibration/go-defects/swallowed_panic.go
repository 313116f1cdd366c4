// expects tapps:swallowed-panic
func injected(work func()) {
	defer func() {
		recover()
	}()
	work()
}
