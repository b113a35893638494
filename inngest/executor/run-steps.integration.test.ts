import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  cleanUp,
  closeHarness,
  endedRuns,
  resetState,
  runsOf,
  sql,
  startApp,
  startExecutor,
} from './testing/harness';

beforeEach(resetState);
afterEach(cleanUp);
afterAll(closeHarness);

describe('running functions', () => {
  it('[E1] runs every step once and gives the function its results back', async () => {
    const executor = await startExecutor();
    const calls: string[] = [];
    const app = await startApp(executor, (client) => [
      client.createFunction(
        { id: 'sums', triggers: { event: 'numbers/given' } },
        async ({ event, step, attempt, runId }) => {
          const doubled = await step.run('double', () => {
            calls.push('double');
            return event.data.n * 2;
          });
          const nothing = await step.run('nothing', () => {
            calls.push('nothing');
          });
          const text = await step.run('text', () => {
            calls.push('text');
            return `${doubled} — 秒杀 \u0000 "quoted"`;
          });
          return { doubled, nothing, text, attempt, hasRunId: runId.length === 26 };
        },
      ),
    ]);

    const { ids } = await app.client.send({ name: 'numbers/given', data: { n: 21, note: 'ü\u2028€' } });

    expect(ids).toHaveLength(1);
    expect(await endedRuns('sums')).toMatchObject([
      {
        status: 'COMPLETED',
        result: { doubled: 42, nothing: null, text: '42 — 秒杀 \u0000 "quoted"', attempt: 0, hasRunId: true },
      },
    ]);
    expect(calls).toEqual(['double', 'nothing', 'text']);
    expect(await sql('SELECT id FROM executor.queue')).toEqual([]);
  });

  it('gives the function the event as it was sent', async () => {
    const executor = await startExecutor();
    const app = await startApp(executor, (client) => [
      client.createFunction({ id: 'echo', triggers: { event: 'thing/happened' } }, ({ event, events }) => ({
        event,
        events,
      })),
    ]);
    const ts = Date.now();
    await app.client.send({
      id: 'thing-1',
      name: 'thing/happened',
      data: { order: '9007199254740993' },
      ts,
    });
    const [run] = await endedRuns('echo');
    const event = { id: 'thing-1', name: 'thing/happened', data: { order: '9007199254740993' }, ts };
    expect(run?.result).toEqual({ event, events: [event] });
  });

  it('runs parallel steps side by side, then goes on once', async () => {
    const executor = await startExecutor();
    const entered: string[] = [];
    let goOn = () => {};
    const bothEntered = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const note = (name: string) => {
      entered.push(name);
      return name;
    };
    const meet = async (name: string) => {
      note(name);
      if (entered.length === 2) goOn();
      await bothEntered;
      return name;
    };
    let after = 0;
    const app = await startApp(executor, (client) => [
      client.createFunction({ id: 'fork', triggers: { event: 'fork/go' } }, async ({ step }) => {
        const pair = await Promise.all([
          step.run('a', () => meet('a')),
          step.run('b', () => meet('b')),
          step.sleep('nap', '1s'),
        ]);
        const next = await Promise.all([step.run('c', () => note('c')), step.run('d', () => note('d'))]);
        return step.run('join', () => {
          after += 1;
          return [pair, next];
        });
      }),
    ]);
    await app.client.send({ name: 'fork/go' });
    const [run] = await endedRuns('fork');
    expect(run).toMatchObject({
      status: 'COMPLETED',
      result: [
        ['a', 'b', null],
        ['c', 'd'],
      ],
    });
    expect(entered.sort()).toEqual(['a', 'b', 'c', 'd']);
    expect(after).toBe(1);
  });

  it('lets a function catch the failure of one parallel step', async () => {
    const executor = await startExecutor();
    const app = await startApp(executor, (client) => [
      client.createFunction(
        { id: 'partly', retries: 1, triggers: { event: 'partly/go' } },
        async ({ step }) => {
          const settled = await Promise.allSettled([
            step.run('good', () => 'good'),
            step.run('bad', () => {
              throw new Error('no luck');
            }),
          ]);
          return settled.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message));
        },
      ),
    ]);
    await app.client.send({ name: 'partly/go' });
    expect(await endedRuns('partly')).toMatchObject([{ status: 'COMPLETED', result: ['good', 'no luck'] }]);
  });

  it('[E1] starts other functions from a step, every one that listens', async () => {
    const executor = await startExecutor();
    const app = await startApp(executor, (client) => [
      client.createFunction({ id: 'first', triggers: { event: 'chain/first' } }, async ({ step }) => {
        const { ids } = await step.sendEvent('tell', [
          { name: 'chain/second', data: { n: 1 } },
          { name: 'chain/second', data: { n: 2 } },
        ]);
        return ids.length;
      }),
      client.createFunction(
        { id: 'second', triggers: { event: 'chain/second' } },
        ({ event }) => event.data.n,
      ),
      client.createFunction(
        { id: 'third', triggers: [{ event: 'chain/second' }, { event: 'chain/other' }] },
        ({ event }) => event.name,
      ),
    ]);
    await app.client.send({ name: 'chain/first' });
    const [, second, third] = [
      await endedRuns('first'),
      await endedRuns('second', 2),
      await endedRuns('third', 2),
    ];
    expect((await runsOf('first'))[0]?.result).toBe(2);
    expect(second.map((run) => run.result).sort()).toEqual([1, 2]);
    expect(third.map((run) => run.result)).toEqual(['chain/second', 'chain/second']);
  });

  it('starts a run no earlier than its event says', async () => {
    const executor = await startExecutor();
    const startedAt: number[] = [];
    const app = await startApp(executor, (client) => [
      client.createFunction({ id: 'later', triggers: { event: 'later/go' } }, () =>
        startedAt.push(Date.now()),
      ),
    ]);
    const ts = Date.now() + 300;
    await app.client.send({ name: 'later/go', ts });
    await endedRuns('later');
    expect(startedAt[0]).toBeGreaterThanOrEqual(ts);
  });
});
