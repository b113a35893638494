import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiProblem } from '@/components/api/api-problem';
import { insist, type Waiting } from './insist';

const inLine = (expectedMs: number, retryAfterMs: number) =>
  new ApiProblem({ status: 503, code: 'UNAVAILABLE', retryAfterMs, expectedMs });
const outage = new ApiProblem({ status: 503, code: 'UNAVAILABLE', retryAfterMs: 1_000 });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Tries something that throws these errors first. */
function start(errors: readonly unknown[]) {
  const told: Waiting[] = [];
  const triedAt: number[] = [];
  const controller = new AbortController();
  const left = [...errors];
  const from = Date.now();
  const outcome = insist(
    async () => {
      triedAt.push(Date.now() - from);
      const error = left.shift();
      if (error) throw error;
      return 'in';
    },
    { signal: controller.signal, tell: (waiting) => told.push(waiting) },
  ).catch((error: unknown) => error);
  return { outcome, told, triedAt, controller };
}

describe('[N4] a form that tries again by itself', () => {
  it('waits in the queue for as long as it takes, and asks when it was told to', async () => {
    const { outcome, told, triedAt } = start(Array.from({ length: 40 }, () => inLine(90_000, 20_000)));
    await vi.runAllTimersAsync();
    expect(await outcome).toBe('in');
    expect(told).toHaveLength(40);
    expect(told[0]).toEqual({ why: 'queue', expectedMs: 90_000 });
    const pauses = triedAt.slice(1).map((at, n) => at - (triedAt[n] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(20_000);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(22_001);
    // A crowd that was told the same does not come back in the same instant.
    expect(new Set(pauses).size).toBeGreaterThan(20);
  });

  it('gives up after some failures where the shop does not answer; the queue does not count', async () => {
    const { outcome, told } = start([
      ...Array(8).fill(outage),
      inLine(5_000, 1_000),
      ...Array(9).fill(outage),
    ]);
    await vi.runAllTimersAsync();
    expect(await outcome).toBe(outage);
    expect(told.map(({ why }) => why)).toEqual([
      ...Array(8).fill('outage'),
      'queue',
      ...Array(8).fill('outage'),
    ]);
  });

  it.each([
    new ApiProblem({ status: 429, code: 'RATE_LIMITED', retryAfterMs: 1_000 }),
    new ApiProblem({ status: 422, code: 'VALIDATION' }),
    new Error('a bug'),
  ])('tells at once what waiting does not change: %s', async (error) => {
    const { outcome, told } = start([error]);
    expect(await outcome).toBe(error);
    expect(told).toEqual([]);
  });

  it('tries no more once the visitor has left', async () => {
    const { outcome, triedAt, controller } = start(Array(10).fill(inLine(90_000, 20_000)));
    await vi.advanceTimersByTimeAsync(30_000);
    controller.abort();
    await vi.runAllTimersAsync();
    expect(await outcome).toMatchObject({ name: 'AbortError' });
    expect(triedAt).toHaveLength(2);
  });
});
