import 'server-only';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { shellFor } from './shell-pages';

/** The parts of Next's build that have an address. */
export type Build = {
  /**
   * Paths after the language, with parameters: `/orders/[orderNo]`; `/` is the first page. A page that was made for
   * a closed list of parameters is there once for each: `/docs/api/orders`.
   */
  pages: string[];
  /** `/api/orders/[orderNo]` */
  interfaces: string[];
  /** Addresses that redirect, without parameters: `/admin`. */
  redirects: string[];
  /** `/_next/static/chunks/x.js`, `/icon.svg` */
  files: string[];
};

const LANGUAGE = '/[locale]';

/** The pages that Next made while building. `fallback` is false where a page has no other addresses than those. */
type Prerendered = {
  routes: Record<string, { srcRoute: string | null }>;
  dynamicRoutes: Record<string, { fallback: string | false | null }>;
};

/**
 * Reads from Next's build output which addresses exist.
 * @param dist Next's build folder. @param publicDir the folder of files that are served as they are.
 * @throws Error when one of Next's build files is missing or has another format than expected.
 */
export function readBuild(dist: string, publicDir: string): Build {
  const routes = readJson<Record<string, string>>(join(dist, 'app-path-routes-manifest.json'));
  const { redirects } = readJson<{ redirects: { source: string }[] }>(join(dist, 'routes-manifest.json'));
  const prerendered = readJson<Prerendered>(join(dist, 'prerender-manifest.json'));
  const ending = (end: string) =>
    Object.entries(routes)
      .filter(([file]) => file.endsWith(end))
      .map(([, path]) => path);
  return {
    pages: ending('/page')
      .filter((path) => path.startsWith(LANGUAGE))
      .flatMap((path) => madePages(prerendered, path))
      .map((path) => path.slice(LANGUAGE.length) || '/'),
    interfaces: ending('/route'),
    redirects: redirects.map(({ source }) => source).filter((source) => !source.includes(':')),
    files: [
      ...filesBelow(join(dist, 'static')).map((file) => `/_next/static${file}`),
      ...filesBelow(publicDir),
    ],
  };
}

/**
 * Returns the addresses of a page, `[locale]` included, if it has no others than those made while building, and the page
 * itself for any other. A shell has more: it is made once and serves all.
 */
function madePages({ routes, dynamicRoutes }: Prerendered, page: string): string[] {
  const isOpen = dynamicRoutes[page]?.fallback !== false || shellFor(page.slice(LANGUAGE.length));
  if (isOpen) return [page];
  const made = Object.entries(routes).filter(([, { srcRoute }]) => srcRoute === page);
  return [...new Set(made.map(([path]) => path.replace(/^\/[^/]+/, LANGUAGE)))];
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

/** Lists files as they appear in an address, relative to the folder. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep))
    .map((segments) => `/${segments.join('/')}`);
}
