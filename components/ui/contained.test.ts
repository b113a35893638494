import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

const sources = ['components', 'app'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|docs|openapi/.test(file))
    .map((file) => ({ file, text: readFileSync(join(root, folder, file), 'utf8') })),
);

/** Elements in which a text can't turn round what follows; `RowLink` puts its text into a bdi. */
const CONTAINS = new Set(['bdi', 'option', 'AlertDialog.Title', 'RowLink']);

it('[O7] every title on a page is contained: one that runs from right to left turns nothing else round', () => {
  const shown = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/<([\w.]+)[^<>]*>\s*\{[\w.?]*(?:[tT]itle|ruleName)\}/g)].map(([, tag = '']) => ({
      file,
      tag,
    })),
  );
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.filter(({ tag }) => !CONTAINS.has(tag))).toEqual([]);
});

it('[O7] every title in a sentence is contained', () => {
  const said = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/\b(?:t|words|done)(?:\.rich)?\([^{}()]*\{([^{}]*\btitle\b[^{}]*)/g)].map(
      ([, values = '']) => ({
        file,
        values,
      }),
    ),
  );
  expect(said.length).toBeGreaterThan(5);
  expect(said.filter(({ values }) => !values.includes('isolated('))).toEqual([]);
});
