// expects tapps:late-wait-group-add
import "sync"

func injected(work []func()) {
	var group sync.WaitGroup
	for _, one := range work {
		go func(one func()) {
			group.Add(1)
			defer group.Done()
			one()
		}(one)
	}
	group.Wait()
}
