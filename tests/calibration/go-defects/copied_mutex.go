// expects tapps:copied-mutex
import "sync"

type injectedCounter struct {
	lock  sync.Mutex
	count int
}

func (counter injectedCounter) value() int {
	counter.lock.Lock()
	defer counter.lock.Unlock()
	return counter.count
}
