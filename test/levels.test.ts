import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LEVELS } from './levels';

const root = join(import.meta.dirname, '..');
const levelOf = new Map(LEVELS.flatMap((line, level) => line.split(' ').map((folder) => [folder, level])));

/** Returns the innermost folder, or file of `lib`, that has a level. */
function roomOf(path: string): string | undefined {
  for (let at = path.replace(/\.\w+$/, ''); at !== '.'; at = dirname(at)) if (levelOf.has(at)) return at;
  return undefined;
}

const sources = ['app', 'components', 'i18n', 'inngest', 'lib', 'scripts', 'tools'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/\.test\.|\/testing\//.test(file)),
);

const IMPORT = /(?:from|import|import\()\s*'((?:@\/|\.)[^']+)'/g;

const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)].map(([, name = '']) =>
    name.startsWith('@/') ? name.slice(2) : normalize(join(dirname(file), name)),
  );

describe('the levels of the house', () => {
  it('[L2] name every folder, and no other', () => {
    expect(sources.length).toBeGreaterThan(2_000);
    const rooms = new Set(sources.map((file) => roomOf(file) ?? file));
    const named = [...levelOf.keys()].filter((folder) => !/^(e2e|test|messages|prisma)$/.test(folder));
    expect([...rooms].sort()).toEqual(named.sort());
  });

  it('[L2] let each folder import from below alone', () => {
    const wrong = sources.flatMap((file) => {
      const from = roomOf(file);
      return importsOf(file).flatMap((path) => {
        const to = roomOf(path);
        const isBelow =
          to !== undefined && from !== undefined && Number(levelOf.get(to)) > Number(levelOf.get(from));
        return isBelow || to === from || path === 'package.json' ? [] : [`${file} imports ${path}`];
      });
    });
    expect(wrong).toEqual([]);
  });
});
