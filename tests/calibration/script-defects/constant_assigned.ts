// expects oxlint:no-const-assign
const mostRounds = 3;
export function nextRound(): number {
  mostRounds += 1;
  return mostRounds;
}
