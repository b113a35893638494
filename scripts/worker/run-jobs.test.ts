import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
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
  await vi.waitFor(() => expect(fails.mock.calls.length).toBeGreaterThan(2), 30_000);
  stopping.abort();
  await running;
  expect(waits).toHaveBeenCalledTimes(1);
  expect(new Set(log.error.mock.calls.map(([{ job }]) => job))).toEqual(new Set(['fails']));
});
