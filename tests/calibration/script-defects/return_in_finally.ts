// expects oxlint:no-unsafe-finally
export function readOnce(read: () => number): number {
  try {
    return read();
  } finally {
    return 0;
  }
}
