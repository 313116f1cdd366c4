// expects tapps:syntax-error
func injected( {
	return
}
