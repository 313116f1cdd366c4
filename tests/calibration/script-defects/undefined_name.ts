// expects tapps:undefined-name
export function total(prices: number[]): number {
  return prices.reduce((sum, price) => sum + price * vatRate, 0);
}
