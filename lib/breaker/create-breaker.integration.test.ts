import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { createBreaker } from './create-breaker';
import { pruneBreakers, readBreakers } from './read-breakers';

afterAll(closeDb);
afterEach(() => void vi.useRealTimers());

/** So long that it passes only when a test says so. */
const HALF_OPEN_AFTER_MS = 3_600_000;
const passHalfOpen = () => vi.setSystemTime(Date.now() + HALF_OPEN_AFTER_MS);
const fail = () => Promise.reject(new Error('service down'));
const ok = () => Promise.resolve('ok');
const make = (service: string, isFault?: (error: unknown) => boolean) =>
  createBreaker({ service, failures: 3, halfOpenAfterMs: HALF_OPEN_AFTER_MS, isFault });

async function trip(breaker: ReturnType<typeof make>, times = 3) {
  for (let n = 0; n < times; n += 1) await expect(breaker.run(fail)).rejects.toThrow('service down');
}

it('[J3] opens after faults in a row, probes with one call, closes when that succeeds', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const breaker = make('probed');
  await trip(breaker, 2);
  expect(await breaker.run(ok)).toBe('ok');
  await trip(breaker, 2);
  expect(breaker).toMatchObject({ state: 'closed', admits: 'all' });
  await trip(breaker, 1);
  expect(breaker).toMatchObject({ state: 'open', admits: 'none' });
  let calls = 0;
  await expect(
    breaker.run(async () => {
      calls += 1;
    }),
  ).rejects.toThrow();
  expect(calls).toBe(0);

  passHalfOpen();
  expect(breaker.admits).toBe('one');
  await expect(breaker.run(fail)).rejects.toThrow('service down');
  expect(breaker).toMatchObject({ state: 'open', admits: 'none' });
  passHalfOpen();
  expect(breaker.admits).toBe('one');
  expect(await breaker.run(ok)).toBe('ok');
  expect(breaker).toMatchObject({ state: 'closed', admits: 'all' });
});

it('[J3] what is not the fault of the service does not count', async () => {
  const breaker = make('blameless', () => false);
  await trip(breaker, 10);
  expect(breaker.state).toBe('closed');
});

it('[J3] every process can see its state, with the last error; silent processes do not count', async () => {
  const before = Date.now();
  const breaker = make('seen');
  await breaker.report();
  await trip(breaker);
  await expect
    .poll(async () => (await readBreakers()).find(({ service }) => service === 'seen'))
    .toEqual({ service: 'seen', state: 'open', since: expect.any(Number), lastError: 'service down' });
  const [seen] = (await readBreakers()).filter(({ service }) => service === 'seen');
  expect(seen?.since).toBeGreaterThanOrEqual(before);

  // Another worker reports the service as fine; the worst report counts until its process has been silent for a
  // minute.
  await db().$executeRaw`INSERT INTO breakers (service, process, state) VALUES ('seen', 'other', 'closed')`;
  const stateOf = async () => (await readBreakers()).find(({ service }) => service === 'seen')?.state;
  expect(await stateOf()).toBe('open');
  await db()
    .$executeRaw`UPDATE breakers SET seen_at = now() - interval '61 seconds' WHERE process <> 'other'`;
  expect(await stateOf()).toBe('closed');
  await db().$executeRaw`UPDATE breakers SET seen_at = now() - interval '2 days' WHERE process <> 'other'`;
  expect(await pruneBreakers()).toBeGreaterThan(0);
});
