// expects tapps:insecure-skip-verify
import "crypto/tls"

func injected(settings *tls.Config) {
	settings.InsecureSkipVerify = true
}
