import type { Inngest } from 'inngest';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bestOf } from '@/test/support/best-of';
import {
  cleanUp,
  closeHarness,
  endedRuns,
  resetState,
  runsOf,
  startApp,
  startExecutor,
  until,
} from './testing/harness';

beforeEach(resetState);
afterEach(cleanUp);
afterAll(closeHarness);

describe('several executors', () => {
  it('execute each of 200 runs once between them', async () => {
    const RUNS = 200;
    const executors = [await startExecutor(), await startExecutor()];
    const effects = new Map<string, number>();
    const count = (key: string) => effects.set(key, (effects.get(key) ?? 0) + 1);
    const build = (client: Inngest) => [
      client.createFunction({ id: 'work', triggers: { event: 'work/go' } }, async ({ event, step }) => {
        await step.run('a', () => count(`a ${event.data.n}`));
        await step.run('b', () => count(`b ${event.data.n}`));
      }),
    ];
    const apps = [await startApp(executors[0] as never, build), await startApp(executors[1] as never, build)];
    const events = Array.from({ length: RUNS }, (_, n) => ({ id: `w${n}`, name: 'work/go', data: { n } }));
    // Both apps get every event.
    await Promise.all(apps.map(({ client }) => client.send(events)));
    await endedRuns('work', RUNS);
    expect(await runsOf('work')).toHaveLength(RUNS);
    expect(effects.size).toBe(2 * RUNS);
    expect([...effects.values()].every((times) => times === 1)).toBe(true);
  });

  it('hold a concurrency limit together, and reach it', async () => {
    const LIMIT = 3;
    const executor = await startExecutor();
    await startExecutor();
    let running = 0;
    let most = 0;
    const app = await startApp(executor, (client) => [
      client.createFunction({ id: 'few', concurrency: LIMIT, triggers: { event: 'few/go' } }, ({ step }) =>
        step.run('slow', async () => {
          running += 1;
          most = Math.max(most, running);
          // The first ones wait for others to join them, and a moment more for one too many.
          await vi.waitUntil(() => most >= LIMIT, { timeout: 30_000 }).catch(() => {});
          await new Promise((resolve) => setTimeout(resolve, 15));
          running -= 1;
        }),
      ),
      client.createFunction({ id: 'free', triggers: { event: 'few/go' } }, () => null),
    ]);
    await app.client.send(Array.from({ length: 30 }, () => ({ name: 'few/go' })));
    await endedRuns('few', 30);
    expect(most).toBe(LIMIT);
    expect(await endedRuns('free', 30)).toHaveLength(30);
  });

  it('a step longer than the lease is not run twice', async () => {
    const executor = await startExecutor({ leaseMs: 600 });
    await startExecutor({ leaseMs: 600 });
    let times = 0;
    const app = await startApp(executor, (client) => [
      client.createFunction({ id: 'long', triggers: { event: 'long/go' } }, ({ step }) =>
        step.run('long', async () => {
          times += 1;
          await new Promise((resolve) => setTimeout(resolve, 1500));
        }),
      ),
    ]);
    let sent = 0;
    const runOne = async () => {
      times = 0;
      sent += 1;
      await app.client.send({ name: 'long/go' });
      await endedRuns('long', sent);
      return times;
    };
    // An executor that stood still with its machine has lost the lease.
    expect(await bestOf(2, runOne)).toBe(1);
  });

  it('hear at once of work the others have no room for', async () => {
    const full = await startExecutor({ maxConcurrentCalls: 1, pollMs: 60_000 });
    const other = await startExecutor({ maxConcurrentCalls: 1, pollMs: 60_000 });
    let entered = 0;
    const app = await startApp(full, (client) => [
      client.createFunction({ id: 'pair', triggers: { event: 'pair/go' } }, async () => {
        entered += 1;
        // Neither run ends before both have begun.
        await until(() => entered === 2);
      }),
    ]);
    await app.client.send([{ name: 'pair/go' }, { name: 'pair/go' }]);
    expect(await endedRuns('pair', 2)).toMatchObject([{ status: 'COMPLETED' }, { status: 'COMPLETED' }]);
    expect(other.url).not.toBe(full.url);
  });
});
