// expects tapps:eval
export function compute(formula: string): unknown {
  return eval(formula);
}
