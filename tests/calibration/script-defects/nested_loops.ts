// expects tapps:nested-loop
export function closest(points: number[][]): number {
  let best = Infinity;
  for (const a of points) {
    for (const b of points) {
      for (let i = 0; i < a.length; i++) {
        best = Math.min(best, Math.abs(a[i] - b[i]));
      }
    }
  }
  return best;
}
