// expects tapps:path-from-request
import (
	"net/http"
	"os"
)

func injected(r *http.Request) ([]byte, error) {
	return os.ReadFile("/srv/pages/" + r.FormValue("page"))
}
