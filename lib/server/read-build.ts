import 'server-only';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** The parts of Next's build that have an address. */
export type Build = {
  /** Paths after the language, with parameters: `/orders/[orderNo]`; `/` is the first page. */
  pages: string[];
  /** `/api/orders/[orderNo]` */
  interfaces: string[];
  /** Addresses that redirect, without parameters: `/admin`. */
  redirects: string[];
  /** `/_next/static/chunks/x.js`, `/icon.svg` */
  files: string[];
};

const LANGUAGE = '/[locale]';

/**
 * Reads from Next's build output which addresses exist.
 * @param dist Next's build folder. @param publicDir the folder of files that are served as they are.
 * @throws Error when one of Next's build files is missing or has another format than expected.
 */
export function readBuild(dist: string, publicDir: string): Build {
  const routes = readJson<Record<string, string>>(join(dist, 'app-path-routes-manifest.json'));
  const { redirects } = readJson<{ redirects: { source: string }[] }>(join(dist, 'routes-manifest.json'));
  const ending = (end: string) =>
    Object.entries(routes)
      .filter(([file]) => file.endsWith(end))
      .map(([, path]) => path);
  return {
    pages: ending('/page')
      .filter((path) => path.startsWith(LANGUAGE))
      .map((path) => path.slice(LANGUAGE.length) || '/'),
    interfaces: ending('/route'),
    redirects: redirects.map(({ source }) => source).filter((source) => !source.includes(':')),
    files: [
      ...filesBelow(join(dist, 'static')).map((file) => `/_next/static${file}`),
      ...filesBelow(publicDir),
    ],
  };
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
