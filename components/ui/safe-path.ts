/**
 * A path on this site out of something a link brought along, so that nobody can be led elsewhere after signing in or
 * paying.
 * @returns path with query and hash, or the fallback if it leads off this site
 */
export function safePath(candidate: string | null | undefined, origin: string, fallback: string): string {
  if (!candidate || candidate.length > 2000 || !URL.canParse(candidate, origin)) return fallback;
  const url = new URL(candidate, origin);
  if (url.origin !== origin) return fallback;
  return `${url.pathname}${url.search}${url.hash}`;
}
