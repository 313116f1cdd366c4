// expects tapps:deep-nesting
func injected(rows [][]int, wanted map[int]bool) int {
	for _, row := range rows {
		if len(row) > 0 {
			for _, cell := range row {
				if wanted[cell] {
					for range row {
						if cell > 3 {
							if cell < 9 {
								return cell
							}
						}
					}
				}
			}
		}
	}
	return 0
}
