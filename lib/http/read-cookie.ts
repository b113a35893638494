/** Browsers keep no longer cookies. */
const MAX_LENGTH = 4_096;

/** Reads a cookie's value from a `Cookie` header; undefined if it is missing or malformed. */
export function readCookie(header: string | null, name: string): string | undefined {
  const start = `${name}=`;
  const pair = header?.split(';').find((each) => each.trimStart().startsWith(start));
  const value = pair?.trim().slice(start.length);
  if (value === undefined || value.length > MAX_LENGTH) return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
