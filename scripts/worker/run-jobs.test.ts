import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { eventually } from '@/test/support/eventually';
import { runJobs } from './run-jobs';

it('[L1 E5] a job that waits ends with the worker; one that fails is run again', async () => {
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const stopping = new AbortController();
  const waits = vi.fn((signal: AbortSignal) => delay(60_000, undefined, { signal }));
  const fails = vi.fn(() => Promise.reject(new Error('no')));
  const jobs = [
    { name: 'waits', everyMs: 1, run: waits },
    { name: 'fails', everyMs: 1, run: fails },
  ];
  const running = runJobs(jobs, log, stopping.signal);
  await eventually(() => expect(fails.mock.calls.length).toBeGreaterThan(2));
  stopping.abort();
  await running;
  expect(waits).toHaveBeenCalledTimes(1);
  expect(new Set(log.error.mock.calls.map(([{ job }]) => job))).toEqual(new Set(['fails']));
});

it('[J2 P11] a server that is away for a moment is no red line; one that stays away is, and a bug at once', async () => {
  const lines: [level: string, job: string][] = [];
  const note = (level: string) => (data: object) => lines.push([level, (data as { job: string }).job]);
  const log = { info: note('info'), warn: note('warn'), error: note('error') };
  const stopping = new AbortController();
  const away = () => Promise.reject(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }));
  const jobs = [
    { name: 'away', everyMs: 1, run: away },
    { name: 'wrong', everyMs: 1, run: () => Promise.reject(new TypeError('no')) },
  ];
  const running = runJobs(jobs, log, stopping.signal);
  const levelsOf = (name: string) => lines.filter(([, job]) => job === name).map(([level]) => level);
  await eventually(() => expect(levelsOf('away').length).toBeGreaterThan(2));
  stopping.abort();
  await running;
  expect(levelsOf('away').slice(0, 3)).toEqual(['warn', 'warn', 'error']);
  expect(levelsOf('wrong')[0]).toBe('error');
});
