import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  advance,
  cleanUp,
  clock,
  closeHarness,
  endedRuns,
  resetState,
  runsOf,
  sql,
  startApp,
  startExecutor,
  until,
} from './testing/harness';

beforeEach(resetState);
afterEach(cleanUp);
afterAll(closeHarness);

const MINUTE_MS = 60_000;
const isAsleep = async () =>
  (await sql(`SELECT 1 FROM executor.queue WHERE kind = 'SLEEP' AND leased_by IS NULL`)).length === 1;

describe('sleep', () => {
  it('[E7] sleeps 15 minutes, through a restart of the executor, and repeats no step', async () => {
    const first = await startExecutor();
    const port = Number(new URL(first.url).port);
    const steps: string[] = [];
    const app = await startApp(first, (client) => [
      client.createFunction({ id: 'deadline', triggers: { event: 'hold/made' } }, async ({ step }) => {
        await step.run('before', () => steps.push('before'));
        await step.sleep('until the deadline', '15m');
        return step.run('after', () => {
          steps.push('after');
          return clock();
        });
      }),
      client.createFunction({ id: 'probe', triggers: { event: 'probe/go' } }, () => null),
    ]);
    const startedAt = clock();
    await app.client.send({ name: 'hold/made' });
    await until(isAsleep);
    await first.stop();

    await startExecutor({ port });
    advance(14 * MINUTE_MS);
    await app.client.send({ name: 'probe/go' });
    await endedRuns('probe');
    expect(await isAsleep()).toBe(true);
    expect(await runsOf('deadline')).toMatchObject([{ status: 'RUNNING' }]);

    advance(MINUTE_MS);
    const [run] = await endedRuns('deadline');
    expect(run?.status).toBe('COMPLETED');
    expect(run?.result).toBeGreaterThanOrEqual(startedAt + 15 * MINUTE_MS);
    expect(steps).toEqual(['before', 'after']);
  });

  it('[E7] sleeps until a time, wakes at it without waiting for a poll, and sees a past time as now', async () => {
    const executor = await startExecutor({ pollMs: 60_000 });
    let woke = 0;
    let wakeTime = 0;
    const app = await startApp(executor, (client) => [
      client.createFunction({ id: 'alarm', triggers: { event: 'alarm/set' } }, async ({ event, step }) => {
        await step.sleepUntil('alarm', new Date(event.data.at));
        await step.sleepUntil('long ago', new Date(0));
        woke = Date.now();
      }),
    ]);
    wakeTime = Date.now() + 400;
    await app.client.send({ name: 'alarm/set', data: { at: wakeTime } });
    await endedRuns('alarm');
    expect(woke - wakeTime).toBeGreaterThanOrEqual(0);
    expect(woke - wakeTime).toBeLessThan(3000);
  });
});

describe('cron', () => {
  it('[E7] runs once per tick with two executors, and makes up for no tick missed while down', async () => {
    const executor = await startExecutor();
    const other = await startExecutor();
    await startApp(executor, (client) => [
      client.createFunction({ id: 'sweep', triggers: { cron: '* * * * *' } }, ({ event }) => ({
        id: event.id,
        name: event.name,
        data: event.data,
      })),
    ]);
    advance(MINUTE_MS);
    await endedRuns('sweep', 1);
    advance(MINUTE_MS);
    const runs = await endedRuns('sweep', 2);
    const tick = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/);
    expect(runs[0]?.result).toEqual({
      id: tick,
      name: 'inngest/scheduled.timer',
      data: { cron: '* * * * *', scheduledAt: tick },
    });
    await Promise.all([executor.stop(), other.stop()]);

    advance(10 * MINUTE_MS);
    await startExecutor();
    advance(MINUTE_MS);
    await endedRuns('sweep', 3);
    const ticks = (await runsOf('sweep')).map((run) => (run.result as { id: string }).id);
    expect(new Set(ticks).size).toBe(ticks.length);
    expect(ticks.length).toBeLessThanOrEqual(4);
  });
});
