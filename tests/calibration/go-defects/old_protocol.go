// expects tapps:low-tls-version
import "crypto/tls"

func injected(settings *tls.Config) {
	settings.MinVersion = tls.VersionTLS10
}
