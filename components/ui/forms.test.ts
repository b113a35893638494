import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

it('[N8] every form is a POST: one that is sent before its script is there puts nothing into an address', () => {
  const forms = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) => readFileSync(join(root, file), 'utf8').match(/<form\b[^>]*/g) ?? []);
  expect(forms.length).toBeGreaterThan(10);
  expect(forms.filter((form) => !form.includes('method="post"'))).toEqual([]);
});
