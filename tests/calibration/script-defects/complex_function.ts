// expects tapps:complex-block
export function kindOf(code: number, size: number, flag: boolean): string {
  if (code === 0 && (size > 0 || flag)) {
    return "a";
  }
  if (code === 1 && (size > 1 || flag)) {
    return "b";
  }
  if (code === 2 && (size > 2 || flag)) {
    return "c";
  }
  if (code === 3 && (size > 3 || flag)) {
    return "d";
  }
  if (code === 4 && (size > 4 || flag)) {
    return "e";
  }
  if (code === 5 && (size > 5 || flag)) {
    return "f";
  }
  if (code === 6 && (size > 6 || flag)) {
    return "g";
  }
  if (code === 7 && (size > 7 || flag)) {
    return "h";
  }
  if (code === 8 && (size > 8 || flag)) {
    return "i";
  }
  if (code === 9 && (size > 9 || flag)) {
    return "j";
  }
  if (code === 10 && (size > 10 || flag)) {
    return "k";
  }
  if (code === 11 && (size > 11 || flag)) {
    return "l";
  }
  return "other";
}
