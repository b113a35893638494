import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files that the build never reads. Everything else in the repository may end up in it. */
const NOT_BUILT = new Set([
  'node_modules',
  'e2e',
  'docs',
  'deploy',
  'test',
  'scripts',
  'tools',
  'migrations',
  'generated',
  'test-results',
  'playwright-report',
]);
const NOT_BUILT_FILES =
  /\.(md|test\.tsx?|tsbuildinfo|log)$|^next-env\.d\.ts$|^biome\.json$|^Dockerfile$|^compose\.yaml$|\.env$|^(vitest|playwright)\.config\.ts$/;

/**
 * Hashes the names and contents of everything the build reads.
 * @param {string} root repository root
 */
export function sourceHash(root) {
  const hash = createHash('sha256');
  const visit = (folder, prefix) => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      if (entry.name.startsWith('.') || NOT_BUILT.has(entry.name)) continue;
      const path = join(folder, entry.name);
      const name = `${prefix}${entry.name}`;
      if (entry.isDirectory()) visit(path, `${name}/`);
      else if (entry.isFile() && !NOT_BUILT_FILES.test(entry.name)) {
        hash.update(`${name}\0`).update(contentOf(name, path)).update('\0');
      }
    }
  };
  visit(root, '');
  return hash.digest('hex');
}

/** The build itself adds settings to tsconfig.json; that must not look like a change of the sources. */
function contentOf(name, path) {
  const text = readFileSync(path);
  if (name !== 'tsconfig.json') return text;
  try {
    return JSON.stringify({ ...JSON.parse(text.toString()).compilerOptions, allowJs: undefined });
  } catch {
    return text;
  }
}
