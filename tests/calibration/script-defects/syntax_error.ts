// expects tapps:syntax-error
export function broken(: number {
  return 1;
}
