// expects oxlint:use-isnan
export function hasNoRate(rate: number): boolean {
  return rate === NaN;
}
