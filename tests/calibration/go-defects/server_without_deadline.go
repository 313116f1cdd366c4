// expects tapps:http-no-timeout
import "net/http"

func injected(handler http.Handler) error {
	return http.ListenAndServe("localhost:8080", handler)
}
