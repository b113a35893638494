import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { buildWhenChanged } from './build-when-changed.mjs';
import { sourceHash } from './source-hash.mjs';

let root;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'seckill-build-'));
  write('app/page.tsx', 'one');
  write('package-lock.json', '{}');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(name, text) {
  mkdirSync(join(root, name, '..'), { recursive: true });
  writeFileSync(join(root, name), text);
}

/** Plays Next: notes that it ran, and fails when told to. */
function fakeNext(code) {
  write('node_modules/next/dist/bin/next', code);
}
const build = () =>
  buildWhenChanged({ root, logFile: join(root, 'build.log'), env: { ...process.env, NEXT_DIST_DIR: '' } });

it('[L1] sources, their names and the lock file change the hash; tests, documents and builds do not', () => {
  const first = sourceHash(root);
  write('app/page.test.tsx', 'x');
  write('README.md', 'x');
  write('e2e/buy.spec.ts', 'x');
  write('.next/BUILD_ID', 'x');
  expect(sourceHash(root)).toBe(first);
  write('package-lock.json', '{"a":1}');
  const second = sourceHash(root);
  expect(second).not.toBe(first);
  write('components/a.tsx', '');
  expect(sourceHash(root)).not.toBe(second);
});

it('[L1] what the build writes into tsconfig.json is no change of the sources, other options are', () => {
  write('tsconfig.json', '{"compilerOptions":{"strict":true},"include":["a"]}');
  const first = sourceHash(root);
  write('tsconfig.json', '{"compilerOptions":{"strict":true,"allowJs":true},"include":["a",".next/types"]}');
  expect(sourceHash(root)).toBe(first);
  write('tsconfig.json', '{"compilerOptions":{"strict":false},"include":["a"]}');
  expect(sourceHash(root)).not.toBe(first);
});

it('[L1] a build is made once per state of the sources, and again after one that failed', async () => {
  fakeNext(
    'const fs = require("fs"); fs.mkdirSync(".next/static", { recursive: true }); fs.writeFileSync(".next/BUILD_ID", "1")',
  );
  expect(await build()).toBe('built');
  expect(await build()).toBe('up to date');
  write('app/page.tsx', 'two');
  fakeNext('console.log("Type error: page.tsx is wrong"); process.exit(1)');
  await expect(build()).rejects.toThrow(
    /^The application could not be built: Type error: page\.tsx is wrong\./,
  );
  fakeNext('');
  expect(await build()).toBe('built');
});
