/**
 * Reads the entry token from a purchase's body: a page that buys at another origin sends it there, because a header of
 * ours would cost it a preflight at the very start. Empty: there is none.
 */
export function tokenInBody(body: string): string {
  if (!body.includes('"entryToken"')) return '';
  try {
    const { entryToken } = (JSON.parse(body) ?? {}) as { entryToken?: unknown };
    return typeof entryToken === 'string' ? entryToken : '';
  } catch {
    return '';
  }
}
