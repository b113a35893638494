import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx'))
  .map((file) => readFileSync(join(root, file), 'utf8'));

it('[N8] every field for a password hides it, and says to password managers which one it wants', () => {
  const fields = sources
    .flatMap((text) => text.match(/<(?:input|Input|Field|TextField)\b[\s\S]*?\/>/g) ?? [])
    .filter((field) => /(?:(?:name|id)="\w*|autoComplete="new-)password"/i.test(field));
  expect(fields.length).toBeGreaterThanOrEqual(4);
  for (const field of fields) {
    expect(field).toContain('type="password"');
    expect(field).toMatch(/autoComplete=(?:"(?:current|new)-password"|\{[^}]*-password[^}]*\})/);
  }
  expect(sources.filter((text) => /onPaste|onCopy/.test(text))).toEqual([]);
});

it('[N8] every form is a POST: one that is sent before its script is there puts nothing into an address', () => {
  const forms = sources.flatMap((text) => text.match(/<form\b[^>]*/g) ?? []);
  expect(forms.length).toBeGreaterThan(10);
  expect(forms.filter((form) => !form.includes('method="post"'))).toEqual([]);
});
