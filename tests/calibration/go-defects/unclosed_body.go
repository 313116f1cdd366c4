// expects tapps:unclosed-body
import "net/http"

func injected(address string) (int, error) {
	answer, err := http.Get(address)
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, nil
}
