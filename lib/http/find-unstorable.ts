type Unstorable = { path: string; message: string };

/**
 * Finds the first string or name in a JSON value that Postgres can't store, though JSON can spell it: one with a zero
 * byte, or with half a character (`\ud800` alone). Null if there is none. Uses its own stack instead of recursion,
 * because the sender decides how deep a body nests.
 */
export function findUnstorable(value: unknown): Unstorable | null {
  const open: { path: string; value: unknown }[] = [{ path: '', value }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { path, value } = next;
    const message = typeof value === 'string' ? whyUnstorable(value) : null;
    if (message) return { path, message };
    if (value === null || typeof value !== 'object') continue;
    for (const [name, inner] of Object.entries(value)) {
      const why = whyUnstorable(name);
      if (why) return { path, message: why };
      open.push({ path: path ? `${path}.${name}` : name, value: inner });
    }
  }
  return null;
}

function whyUnstorable(text: string): string | null {
  if (text.includes('\0')) return 'has a zero byte';
  return /\p{Surrogate}/u.test(text) ? 'has half of a character' : null;
}
