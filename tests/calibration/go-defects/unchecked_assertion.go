// expects tapps:unchecked-assertion
func Injected(value interface{}) string {
	return value.(string)
}
