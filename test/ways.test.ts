import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const BY_NAME = /\b(?:strategy|admission)\)? [!=]== '/;

it('no code asks for a strategy or a way to admit people by its name: `STRATEGIES` and `ADMISSIONS` say what sets them apart', () => {
  const files = ['app', 'components', 'inngest', 'lib'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file}`)
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\/testing\//.test(file)),
  );
  expect(files.length).toBeGreaterThan(1_000);
  expect(files.filter((file) => BY_NAME.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});
