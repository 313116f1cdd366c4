// expects oxlint:no-unsafe-optional-chaining
export function firstName(user?: { names: string[] }): string {
  return (user?.names)[0];
}
