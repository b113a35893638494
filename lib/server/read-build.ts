import 'server-only';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** What Next has built, as far as it has an address. */
export type Build = {
  /** Below their language, with parameters: `/orders/[orderNo]`; `/` is the first page. */
  pages: string[];
  /** `/api/orders/[orderNo]` */
  interfaces: string[];
  /** Addresses that lead elsewhere, without parameters: `/admin`. */
  redirects: string[];
  /** `/_next/static/chunks/x.js`, `/icon.svg` */
  files: string[];
};

const LANGUAGE = '/[locale]';

/**
 * Reads which addresses there are from what Next wrote when it built the app.
 * @param dist Next's build folder. @param publicDir the folder of files that are served as they are.
 * @throws Error when a file that Next writes is not there, or is not what it was.
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

/** As they stand in an address, from the folder on. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep))
    .map((segments) => `/${segments.join('/')}`);
}
