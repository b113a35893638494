import { isForPrograms } from './is-for-programs';

/** Longer addresses are not ours. */
const LONGEST = 2_000;
/** Blanks, control characters and backslashes: browsers drop the blanks and read backslashes as slashes. */
const ODD = /[\s\p{Cc}\\]/u;
/** Percent signs that decode to one of these characters, or to a slash, a dot or a percent sign. */
const HIDDEN = /%(?:[01][0-9a-f]|7f|2[05ef]|5c)/i;

/**
 * Returns the page of this site that a link's target names, with query and hash, so that no shopper is led to another
 * site after signing in or paying. Takes a path or a whole address. Refuses two slashes in a row wherever they stand:
 * removing a prefix from the path would turn them into an address of another host.
 * @param candidate anything
 * @param origin this site's, such as `https://shop.example`
 * @returns null if it leads off this site, or to no page
 */
export function internalPath(candidate: unknown, origin: string): string | null {
  if (typeof candidate !== 'string' || candidate.length > LONGEST || ODD.test(candidate)) return null;
  if (!candidate.startsWith('/') && !candidate.startsWith(`${origin}/`)) return null;
  if (!URL.canParse(candidate, origin)) return null;
  const { origin: leadsTo, username, pathname, search, hash } = new URL(candidate, origin);
  if (leadsTo !== origin || username !== '') return null;
  if (pathname.includes('//') || HIDDEN.test(pathname) || !isText(pathname)) return null;
  if (isForPrograms(pathname)) return null;
  return `${pathname}${search}${hash}`;
}

/** Tells whether the path's percent signs decode to text. */
function isText(pathname: string): boolean {
  try {
    decodeURI(pathname);
    return true;
  } catch {
    return false;
  }
}
