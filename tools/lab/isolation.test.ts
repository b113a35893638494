import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const PRODUCT = ['app', 'components', 'i18n', 'inngest', 'lib'];

it('[C4] nothing in the product imports the lab, whose strategies are broken on purpose', () => {
  const files = PRODUCT.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|tsx|mjs)$/.test(file))
      .map((file) => join(folder, file)),
  );
  expect(files.length).toBeGreaterThan(100);
  const importers = files.filter((file) =>
    /from '[^']*\btools\/lab\b/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(importers).toEqual([]);
});
