/** Browsers keep no longer ones. */
const MAX_LENGTH = 4_096;

/** A cookie's value out of a `Cookie` header; undefined if it isn't there, or isn't written as cookies are. */
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
