import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { UsageError } from '@/scripts/usage-error';
import { readMeasurements } from './measurements';

const dir = mkdtempSync(join(tmpdir(), 'seckill-measured-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

it.each([
  ['nothing', ''],
  ['no JSON', 'users: 5'],
  ['null', 'null'],
  ['another file', '{"environment": {}, "reports": []}'],
  ['another version', '{"version": 2}'],
])('[K5] measurements that are %s are refused in one sentence', (_, text) => {
  const file = join(dir, 'measured.json');
  writeFileSync(file, text);
  expect(() => readMeasurements(file)).toThrow(UsageError);
  expect(() => readMeasurements(file)).toThrow(/^[^\n]+ holds no measurements of npm run capacity: [^\n]+$/);
});

it('[K5] a file that is not there, or a folder, is named', () => {
  expect(() => readMeasurements(join(dir, 'none.json'))).toThrow(/cannot be read \(ENOENT\)$/);
  expect(() => readMeasurements(dir)).toThrow(/cannot be read \(EISDIR\)$/);
});
