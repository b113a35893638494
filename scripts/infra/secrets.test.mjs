import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { dataDir } from './data-dir.mjs';
import { secrets } from './secrets.mjs';

const made = [];
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});
function newDir() {
  const dir = mkdtempSync(join(tmpdir(), 'seckill-secrets-'));
  made.push(dir);
  return dir;
}
const modeOf = (path) => (statSync(path).mode & 0o777).toString(8);

it('[N8] secrets are random, each installation has its own, and only its owner can read them', () => {
  const [one, other] = [newDir(), newDir()];
  const [ours, theirs] = [secrets(one), secrets(other)];
  expect(modeOf(join(one, 'secrets.json'))).toBe('600');
  const values = [...Object.values(ours), ...Object.values(theirs)];
  expect(new Set(values).size).toBe(values.length);
  for (const value of values) expect(value.length).toBeGreaterThanOrEqual(48);
  expect(secrets(one)).toEqual(ours);
});

it('[N8] secrets that are damaged are said to be, and not replaced', () => {
  const dir = newDir();
  writeFileSync(join(dir, 'secrets.json'), '{"NEXT');
  expect(() => secrets(dir)).toThrow(/is damaged/);
  expect(readFileSync(join(dir, 'secrets.json'), 'utf8')).toBe('{"NEXT');
});

it('[N8] nobody else can read the logs', () => {
  const { logs } = dataDir(newDir(), 'data');
  expect(modeOf(logs)).toBe('700');
});
