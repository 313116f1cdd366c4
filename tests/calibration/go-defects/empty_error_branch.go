// expects tapps:empty-error-branch
func injected(save func() error) {
	err := save()
	if err != nil {
	}
}
