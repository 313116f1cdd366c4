// expects tapps:math-rand-secret
import "math/rand"

func injectedToken() int {
	return rand.Int()
}
