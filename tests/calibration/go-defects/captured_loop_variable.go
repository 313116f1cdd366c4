// expects tapps:captured-loop-variable
func injected(names []string, done chan<- string) {
	for _, name := range names {
		go func() {
			done <- name
		}()
	}
}
