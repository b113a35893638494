import { routing } from '@/i18n/routing';
import { isForPrograms } from '@/lib/http/is-for-programs';
import type { Build } from './read-build';
import { createRouteTree, segmentsOf } from './route-tree';
import { shellFor, shellOf } from './shell-pages';

/** The kinds of things an address can lead to. */
export type Place =
  /**
   * A page or a file, the same for every visitor; `key` is the one address under which Next is asked for it and the
   * server keeps it.
   */
  | { kind: 'kept'; key: string }
  /** Only Next can answer: an interface, or an address that redirects. */
  | { kind: 'next'; key: null }
  /** No page. `key`: the page that says so; null where only programs ask. */
  | { kind: 'nothing'; key: string | null };

export type SiteMap = {
  /**
   * Finds an address's place. @param path percent-encoded, without a query. Costs a microsecond; asks no one and
   * keeps nothing.
   */
  find: (path: string) => Place;
  /** Returns the place of the "not found" page, in the language of an address. */
  missing: (path: string) => { kind: 'nothing'; key: string };
};

/** The 404 page. Its own address is a 404 too. */
export const MISSING_PAGE = '/missing';
const CATCH_ALL = /\[\.\.\./;
/** Matches the last part of a page's address where the page is not a shell. */
const NAME = /^[A-Za-z0-9_-]{1,120}$/;
/** Interfaces with the same answer for every client as long as this process runs. */
const KEPT_INTERFACES = new Set(['/api/openapi.json']);

const NEXT: Place = { kind: 'next', key: null };
const NOTHING: Place = { kind: 'nothing', key: null };
/** Pages that differ by the name at their end: the server keeps each under its own address. */
type Family = { kind: 'family'; page: string };

/**
 * Creates the map of all existing addresses from Next's build: a wrong address then costs neither rendering nor
 * memory, and a page that looks the same at many addresses is kept once.
 * @param mayExist false only for a name at which a page certainly shows nothing, e.g. `/sales/[slug]` and
 *   `no-such-lamp`.
 */
export function createSiteMap(
  { pages, interfaces, redirects, files }: Build,
  mayExist: (page: string, name: string) => boolean = () => true,
): SiteMap {
  const { locales, defaultLocale } = routing;
  const tree = createRouteTree<Place | Family>();
  const prefixes = locales.map((locale) => (locale === defaultLocale ? '' : `/${locale}`));
  const missing = new Map(
    prefixes.map((prefix) => [
      prefix.slice(1),
      { kind: 'nothing' as const, key: `${prefix}${MISSING_PAGE}` },
    ]),
  );
  for (const path of interfaces) {
    if (KEPT_INTERFACES.has(path)) tree.addPath(path, { kind: 'kept', key: path });
    else if (!path.startsWith('/api/[[')) tree.addPattern(path, NEXT);
  }
  for (const path of redirects) tree.addPattern(path, NEXT);
  for (const key of files) tree.addPath(key, { kind: 'kept', key });
  for (const page of pages) {
    if (page === MISSING_PAGE || CATCH_ALL.test(page)) continue;
    for (const prefix of prefixes) tree.addPattern(prefix + page, placeOf(prefix, page));
    // Addresses with the default language in them redirect to those without.
    tree.addPattern(`/${defaultLocale}${page}`, NEXT);
  }

  const missingAt = (path: string) =>
    missing.get(path.split('/', 2)[1] ?? '') ?? { kind: 'nothing' as const, key: MISSING_PAGE };
  const nothingAt = (path: string): Place => (isForPrograms(path) ? NOTHING : missingAt(path));

  return {
    find(path) {
      const segments = decoded(path);
      const place = segments && tree.find(segments);
      if (!segments || !place || path.includes('//')) return nothingAt(path);
      // Next redirects to the address without the slash.
      if (path !== '/' && path.endsWith('/')) return NEXT;
      if (place.kind !== 'family') return place;
      const name = segments.at(-1) ?? '';
      return NAME.test(name) && mayExist(place.page, name)
        ? { kind: 'kept', key: `/${segments.join('/')}` }
        : nothingAt(path);
    },
    missing: missingAt,
  };
}

function placeOf(prefix: string, page: string): Place | Family {
  if (!page.includes('[')) return { kind: 'kept', key: page === '/' ? prefix || '/' : prefix + page };
  const shell = shellFor(page);
  return shell ? { kind: 'kept', key: prefix + shellOf(shell) } : { kind: 'family', page };
}

/** Returns the decoded segments, or null for a path that no address can have. */
function decoded(path: string): string[] | null {
  const segments = segmentsOf(path);
  if (!path.includes('%')) return segments;
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** Returns a request's target without its query. */
export function pathOf(target: string): string {
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
}
