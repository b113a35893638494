import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { errorsIn, lastLine, logSize, readLog, reasonIn } from './read-log.mjs';

let dir;
let file;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'seckill-log-'));
  file = join(dir, 'web.log');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('[L1] a run reads what it wrote, not what the one before has left', () => {
  expect([logSize(file), readLog(file), lastLine(file)]).toEqual([0, '', '']);
  writeFileSync(file, 'the last run crashed\n');
  const from = logSize(file);
  expect([readLog(file, from), lastLine(file, from)]).toEqual(['', '']);
  appendFileSync(file, 'Error: no such table\n    at x (y.ts:1)\n\nNode.js v20.20.2\n');
  expect(lastLine(file, from)).toBe('Error: no such table');
  // The old log is put aside and a new one begun.
  writeFileSync(file, 'short\n');
  expect(lastLine(file, from)).toBe('short');
});

it('[L1] a huge log is read from its end, and a huge line is cut', () => {
  writeFileSync(file, `${'x'.repeat(200_000)}\nlast\n`);
  expect(readLog(file)).toHaveLength(64 * 1024);
  expect(lastLine(file)).toBe('last');
  writeFileSync(file, 'y'.repeat(200_000));
  expect(lastLine(file)).toHaveLength(200);
});

it('[L1] what our processes log is told in words', () => {
  writeFileSync(file, `${JSON.stringify({ level: 50, msg: 'job failed', err: { message: 'no route' } })}\n`);
  expect(lastLine(file)).toBe('job failed: no route');
  writeFileSync(file, '{"level":50,"msg":"job fai');
  expect(lastLine(file)).toBe('{"level":50,"msg":"job fai');
});

it('[L1] a full disk and a taken port are named as such, wherever they stand', () => {
  expect(reasonIn('PANIC: No space left on device\nbye\n', 1)).toBe('the disk is full');
  expect(reasonIn('bind: Address already in use\nbye\n', 1)).toMatch(/port is taken/);
  expect(reasonIn('a\nb\nc\n', 2)).toBe('b | c');
  expect(reasonIn('', 2)).toBe('it said nothing');
  expect(reasonIn('', 2, false)).toBe('the disk is full');
});

it('[L1] the last errors of a log say when, of which request, and what', () => {
  const line = (level, more) => JSON.stringify({ level, time: 'noon', ...more });
  const down = {
    requestId: 'r1',
    path: '/api/x',
    msg: 'dependency down',
    err: { code: 'P2028', message: 'a\nb' },
  };
  const lines = [line(30, { msg: 'ready' }), line(50, down), 'Redis is starting', '{"level":50,"msg":"cut o'];
  expect(errorsIn(lines.join('\n'))).toEqual(['noon r1 /api/x dependency down P2028 a b']);
  const many = Array.from({ length: 30 }, (_, n) => line(60, { msg: `error ${n}` }));
  expect(errorsIn(many.join('\n'))).toEqual(many.slice(20).map((_, n) => `noon error ${n + 20}`));
});
