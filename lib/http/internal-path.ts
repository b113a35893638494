import { isForPrograms } from './is-for-programs';

/** Longer ones are no address of ours. */
const LONGEST = 2_000;
/** Blanks, control characters and backslashes: browsers drop the first and read the last as slashes. */
const ODD = /[\s\p{Cc}\\]/u;
/** What a later decoding would make one of these, or a slash, a dot or a percent sign. */
const HIDDEN = /%(?:[01][0-9a-f]|7f|2[05ef]|5c)/i;

/**
 * The page of this site that a link brought along wants to lead to, with query and hash: so that nobody is led elsewhere
 * after signing in or paying. Path or whole address; two slashes in a row are refused wherever they stand, since taking a
 * prefix off the path would make them an address of another host.
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

/** Whether its percent signs spell text. */
function isText(pathname: string): boolean {
  try {
    decodeURI(pathname);
    return true;
  } catch {
    return false;
  }
}
