import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ASKS = /^\/\/ Also: (.+)\n/;

/**
 * Returns the browser tests that want to run again in another way to serve. They say so in their first line:
 * `// Also: two-web-processes, on-a-cluster`.
 * @param {string} root of the repository
 * @param {readonly string[]} ways all there are
 * @returns {Map<string, string[]>} files by way, each from the root
 * @throws {Error} for a way that there is not, and for one that no test asks for
 */
export function filesByWay(root, ways) {
  const files = new Map(ways.map((way) => [way, []]));
  for (const name of readdirSync(join(root, 'e2e'), { recursive: true }).sort()) {
    if (!name.endsWith('.spec.ts')) continue;
    const file = join('e2e', name);
    const asked = ASKS.exec(readFileSync(join(root, file), 'utf8'))?.[1];
    for (const way of asked?.split(', ') ?? []) {
      const found = files.get(way);
      if (!found) throw new Error(`${file} asks for ${JSON.stringify(way)}; there are ${ways.join(', ')}`);
      found.push(file);
    }
  }
  const unused = ways.find((way) => files.get(way)?.length === 0);
  if (unused) throw new Error(`no test asks for ${unused}`);
  return files;
}
