import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { filesByWay } from './files-by-way.mjs';

let root;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'seckill-ways-'));
  mkdirSync(join(root, 'e2e/api'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
const write = (name, text) => writeFileSync(join(root, 'e2e', name), text);

it('[L1] finds the tests that ask for another way to serve in their first line', () => {
  write('api/a.spec.ts', '// Also: one, two\n\ntest();\n');
  write('api/b.spec.ts', '// Also: two\n');
  write('api/c.spec.ts', 'test();\n// Also: one\n');
  write('api/d.ts', '// Also: one\n');
  expect(Object.fromEntries(filesByWay(root, ['one', 'two']))).toEqual({
    one: ['e2e/api/a.spec.ts'],
    two: ['e2e/api/a.spec.ts', 'e2e/api/b.spec.ts'],
  });
});

it('[L1] refuses a way that there is not, and one that nobody asks for', () => {
  write('api/a.spec.ts', '// Also: one, twoo\n');
  expect(() => filesByWay(root, ['one', 'two'])).toThrow('e2e/api/a.spec.ts asks for "twoo"');
  write('api/a.spec.ts', '// Also: one\n');
  expect(() => filesByWay(root, ['one', 'two'])).toThrow('no test asks for two');
});
