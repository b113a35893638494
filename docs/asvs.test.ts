import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const text = read('docs/ASVS.md');

/** Every requirement of levels 1 and 2 in ASVS 5.0.0, those of a section in one word: `1.3.1,4-6`. */
const LEVELS_1_AND_2 = `
  1.1.1-2 1.2.1-9 1.3.1-11 1.4.1-3 1.5.1-2 2.1.1-3 2.2.1-3 2.3.1-4 2.4.1 3.2.1-2 3.3.1-4 3.4.1-6 3.5.1-5
  3.7.1-2 4.1.1-3 4.2.1 4.3.1-2 4.4.1-4 5.1.1 5.2.1-3 5.3.1-2 5.4.1-3 6.1.1-3 6.2.1-12 6.3.1-4 6.4.1-4
  6.5.1-5 6.6.1-3 6.8.1-4 7.1.1-3 7.2.1-4 7.3.1-2 7.4.1-5 7.5.1-2 7.6.1-2 8.1.1-2 8.2.1-3 8.3.1 8.4.1
  9.1.1-3 9.2.1-4 10.1.1-2 10.2.1-2 10.3.1-4 10.4.1-11 10.5.1-5 10.6.1-2 10.7.1-3 11.1.1-2 11.2.1-3
  11.3.1-3 11.4.1-4 11.5.1 11.6.1 12.1.1-3 12.2.1-2 12.3.1-4 13.1.1 13.2.1-5 13.3.1-2 13.4.1-5 14.1.1-2
  14.2.1-4 14.3.1-3 15.1.1-3 15.2.1-3 15.3.1-7 16.1.1 16.2.1-5 16.3.1-4 16.4.1-3 16.5.1-3 17.1.1 17.2.1-4
  17.3.1-2`;

/** `1.3.1,4-6` → 1.3.1, 1.3.4, 1.3.5, 1.3.6 */
function spellOut(word: string): string[] {
  const at = word.lastIndexOf('.');
  return word
    .slice(at + 1)
    .split(',')
    .flatMap((range) => {
      const [from = 0, to = from] = range.split('-').map(Number);
      return Array.from({ length: to - from + 1 }, (_, n) => `${word.slice(0, at)}.${from + n}`);
    });
}

const ids = LEVELS_1_AND_2.trim().split(/\s+/).flatMap(spellOut);
const [applies = '', doesNot = ''] = text.split('## What does not apply');
const rows = [...applies.matchAll(/^\| (\d+\.\d+\.\d+) \| ([12]) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, id = '', , asks = '', proof = '']) => ({ id, asks: asks.trim(), proof: proof.trim() }),
);
/** `file`: what its title says, up to the next proof or the end of the cell. */
const proofsIn = (cell: string) =>
  [...cell.matchAll(/`([\w./[\]-]+\.(?:test|spec)\.m?[jt]s)`: ([^|·]+)/g)].map(
    ([, file = '', title = '']) => ({
      file,
      title: title.trim(),
    }),
  );
const linksIn = (markdown: string) =>
  [...markdown.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].map(([, file = '', anchor]) => ({
    file,
    anchor,
  }));
/** As GitHub makes anchors of headings. */
const anchorsOf = (markdown: string) =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );

describe('docs/ASVS.md', () => {
  it('[N8] has every requirement of levels 1 and 2 once, as one that applies or one that does not', () => {
    expect(ids).toHaveLength(253);
    const named = [...rows.map(({ id }) => id), ...(doesNot.match(/\b\d+\.\d+\.\d+\b/g) ?? [])];
    expect(named.toSorted()).toEqual(ids.toSorted());
  });

  it('[N8] says of each that applies what proves it, where it is written, or that it is not done and why', () => {
    const unproven = rows.filter(
      ({ proof }) =>
        !/^\*\*not done\*\*.{10,}/.test(proof) && proofsIn(proof).length === 0 && linksIn(proof).length === 0,
    );
    expect(unproven).toEqual([]);
    for (const { id, asks } of rows) expect(asks.split(' ').length, id).toBeLessThanOrEqual(15);
  });

  it('[N8] counts what is not done', () => {
    const notDone = rows.filter(({ proof }) => proof.startsWith('**not done**'));
    expect(text).toContain(`Of ${rows.length} requirements that apply, ${notDone.length} are not done`);
  });

  it.each(rows.flatMap(({ id, proof }) => proofsIn(proof).map((each) => ({ id, ...each }))))(
    '[N8] $id: $file still proves: $title',
    ({ file, title }) => {
      expect(existsSync(join(root, file)), file).toBe(true);
      expect(read(file)).toContain(title);
    },
  );
});

describe.each(['docs/ASVS.md', 'docs/SECURITY.md'])('%s', (document) => {
  it('[N8] leads to what is there', () => {
    const own = read(document);
    for (const { file, anchor } of linksIn(own)) {
      const path = file === '' ? document : join(dirname(document), file);
      expect(existsSync(join(root, path)), path).toBe(true);
      if (anchor) expect(anchorsOf(read(path)), `${path}#${anchor}`).toContain(anchor);
    }
  });
});
