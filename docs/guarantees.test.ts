import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, 'docs/GUARANTEES.md'), 'utf8');
/** `file`: what its title says, up to the end of the line or of the table's cell. */
const proofs = [...text.matchAll(/`([\w./-]+\.(?:test|spec)\.m?[jt]s)`: ([^|\n]+)/g)].map(
  ([, file = '', title = '']) => ({ file, title: title.trim() }),
);

describe('docs/GUARANTEES.md', () => {
  it('names many proofs', () => {
    expect(proofs.length).toBeGreaterThan(30);
  });

  it.each(proofs)('[C8] $file still proves: $title', ({ file, title }) => {
    expect(existsSync(join(root, file)), file).toBe(true);
    expect(readFileSync(join(root, file), 'utf8')).toContain(title);
  });
});
