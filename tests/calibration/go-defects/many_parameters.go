// expects tapps:too-many-parameters
func injected(host string, port int, user, group, zone, path, mode string, retries, delay int) string {
	if retries > delay+port {
		return host + user + group
	}
	return zone + path + mode
}
