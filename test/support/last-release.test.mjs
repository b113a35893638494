import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findLastRelease } from './last-release.mjs';

const dir = mkdtempSync(join(tmpdir(), 'seckill-last-release-'));
mkdirSync(join(dir, 'deploy'));
execFileSync('git', ['init', '--quiet', dir]);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const findNamed = (text) => {
  writeFileSync(join(dir, 'deploy', 'last-release'), text);
  return findLastRelease(dir);
};

it('[K7] the last release is named by a whole id; a history that does not hold it says so, and nothing else does', () => {
  expect(findLastRelease(resolve(import.meta.dirname, '../..')).commit).toMatch(/^[0-9a-f]{40}$/);
  const commit = '1234567890'.repeat(4);
  expect(findNamed(`${commit}\n`)).toEqual({
    commit,
    problem: expect.stringContaining('does not hold 12345678'),
  });
  for (const nonsense of ['', 'main', '--help', commit.slice(1), `${commit}\n${commit}`])
    expect(() => findNamed(nonsense), nonsense).toThrow('whole id of a commit');
});
