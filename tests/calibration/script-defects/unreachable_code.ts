// expects tapps:unreachable-code
export function half(amount: number): number {
  return amount / 2;
  console.log("halved", amount);
}
