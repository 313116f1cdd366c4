// expects tapps:defer-in-loop
func injected(paths []string, open func(string) interface{ Close() error }, read func(interface{})) {
	for _, path := range paths {
		file := open(path)
		defer file.Close()
		read(file)
	}
}
