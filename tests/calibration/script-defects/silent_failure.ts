// expects tapps:empty-catch
export function parseSettings(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {}
  return undefined;
}
