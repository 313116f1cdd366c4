// expects tapps:string-building-in-loop
func injected(names []string) string {
	text := ""
	for _, name := range names {
		text += name
	}
	return text
}
