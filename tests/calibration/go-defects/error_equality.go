// expects tapps:error-equality
func injected(err error) bool {
	return err == ErrInjected
}
