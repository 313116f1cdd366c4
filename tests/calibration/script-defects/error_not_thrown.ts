// expects oxlint:oxc/missing-throw
export function requirePositive(amount: number): void {
  if (amount <= 0) {
    new Error("the amount must be positive");
  }
}
