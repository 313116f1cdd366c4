// expects oxlint:no-constant-binary-expression
export function labelOf(count: number): string {
  return "count: " + count ?? "none";
}
