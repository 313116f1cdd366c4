// expects oxlint:valid-typeof
export function isLabel(label: unknown): boolean {
  return typeof label === "strnig";
}
