// expects tapps:duplicate-block
func injectedFirst(prices []int, limit int) (int, int) {
	total, dropped := 0, 0
	for _, price := range prices {
		if price > limit {
			dropped += price - limit
			price = limit
		}
		if price < 0 {
			dropped++
			continue
		}
		total += price
	}
	return total, dropped
}

func injectedSecond(prices []int, limit int) (int, int) {
	total, dropped := 0, 0
	for _, price := range prices {
		if price > limit {
			dropped += price - limit
			price = limit
		}
		if price < 0 {
			dropped++
			continue
		}
		total += price
	}
	return total, dropped
}
