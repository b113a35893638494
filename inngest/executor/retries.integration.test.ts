import { NonRetriableError, RetryAfterError } from 'inngest';
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

describe('retries', () => {
  it('[E5] counts attempts per step and waits as the table says', async () => {
    const executor = await startExecutor({ backoffMs: [40, 120] });
    const tries: [string, number, number][] = [];
    const app = await startApp(executor, (client) => [
      client.createFunction(
        { id: 'flaky', retries: 3, triggers: { event: 'flaky/go' } },
        async ({ step, attempt }) => {
          await step.run('one', () => {
            tries.push(['one', attempt, Date.now()]);
            if (attempt < 2) throw new Error('not yet');
          });
          return step.run('two', () => {
            tries.push(['two', attempt, Date.now()]);
            if (attempt < 1) throw new Error('not yet');
            return 'made it';
          });
        },
      ),
    ]);
    await app.client.send({ name: 'flaky/go' });
    expect(await endedRuns('flaky')).toMatchObject([{ status: 'COMPLETED', result: 'made it' }]);
    expect(tries.map(([name, attempt]) => `${name} ${attempt}`)).toEqual([
      'one 0',
      'one 1',
      'one 2',
      'two 0',
      'two 1',
    ]);
    const waits = tries.slice(1).map(([, , at], index) => at - (tries[index]?.[2] ?? 0));
    expect(waits[0]).toBeGreaterThanOrEqual(40);
    expect(waits[1]).toBeGreaterThanOrEqual(120);
    expect(waits[3]).toBeGreaterThanOrEqual(40);
  });

  it('[E5] waits as the Inngest server does where nothing is set', async () => {
    // As the product's executor process starts: the environment variable is not set, so the option is undefined.
    const executor = await startExecutor({ backoffMs: undefined });
    let thrownAt = 0;
    const app = await startApp(executor, (client) => [
      client.createFunction({ id: 'waiting', retries: 1, triggers: { event: 'waiting/go' } }, () => {
        thrownAt = Date.now();
        throw new Error('not yet');
      }),
    ]);
    await app.client.send({ name: 'waiting/go' });
    const waitSec = `SELECT extract(epoch FROM q.due_at - now())::float8 AS wait, q.due_at AS due FROM executor.queue q WHERE q.attempt = 1`;
    await expect.poll(async () => (await sql<{ wait: number }>(waitSec)).length).toBe(1);
    const [row] = await sql<{ wait: number; due: Date }>(waitSec);
    expect((row?.due.getTime() ?? 0) - thrownAt).toBeGreaterThan(10_000);
    expect(row?.wait).toBeLessThan(18.5);
  });

  it('[E5] stops after the last attempt, and tells onFailure once', async () => {
    const executor = await startExecutor();
    let tries = 0;
    const told: unknown[] = [];
    const app = await startApp(executor, (client) => {
      const hopeless = client.createFunction(
        {
          id: 'hopeless',
          retries: 2,
          triggers: { event: 'hopeless/go' },
          onFailure: async ({ event, error, step }) => {
            await step.run('tell', () => told.push({ event, error: error.message }));
          },
        },
        ({ step }) =>
          step.run('try', () => {
            tries += 1;
            throw new RangeError('never');
          }),
      );
      const onFailure = () => {
        told.push('wrong handler');
      };
      const bystander = client.createFunction(
        { id: 'bystander', retries: 0, triggers: { event: 'bystander/go' }, onFailure },
        () => null,
      );
      return [hopeless, bystander];
    });
    await app.client.send({ id: 'h1', name: 'hopeless/go', data: { order: '1' } });

    await endedRuns('hopeless-failure');
    const [run] = await runsOf('hopeless');
    expect(run).toMatchObject({ status: 'FAILED', error: { name: 'RangeError', message: 'never' } });
    expect(tries).toBe(3);
    const event = { id: 'h1', name: 'hopeless/go', data: { order: '1' }, ts: expect.any(Number) };
    expect(told).toEqual([
      {
        error: 'never',
        event: {
          id: run?.id,
          name: 'inngest/function.failed',
          ts: expect.any(Number),
          data: {
            function_id: 'app-hopeless',
            run_id: run?.id,
            event,
            events: [event],
            error: expect.objectContaining({ name: 'RangeError', message: 'never' }),
            _inngest: { status: 'Failed' },
          },
        },
      },
    ]);
    expect(await runsOf('hopeless-failure')).toHaveLength(1);
  });

  it('[E5] does not retry what can not succeed', async () => {
    const executor = await startExecutor();
    let tries = 0;
    let told = 0;
    const app = await startApp(executor, (client) => [
      client.createFunction(
        {
          id: 'poison',
          triggers: { event: 'poison/go' },
          onFailure: () => {
            told += 1;
          },
        },
        ({ step }) =>
          step.run('try', () => {
            tries += 1;
            throw new NonRetriableError('poison');
          }),
      ),
    ]);
    await app.client.send({ name: 'poison/go' });
    await endedRuns('poison-failure');
    expect([tries, told]).toEqual([1, 1]);
  });

  it('lets the function choose when to come back', async () => {
    const executor = await startExecutor();
    const at: number[] = [];
    const app = await startApp(executor, (client) => [
      client.createFunction({ id: 'busy', triggers: { event: 'busy/go' } }, ({ step }) =>
        step.run('try', () => {
          at.push(Date.now());
          if (at.length === 1) throw new RetryAfterError('busy', '1s');
        }),
      ),
    ]);
    await app.client.send({ name: 'busy/go' });
    await endedRuns('busy');
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(950);
  });

  it('a failing failure handler does not start itself', async () => {
    const executor = await startExecutor();
    const app = await startApp(executor, (client) => [
      client.createFunction({ id: 'bad', retries: 0, triggers: { event: 'bad/go' } }, () => {
        throw new Error('bad');
      }),
      client.createFunction(
        { id: 'all-failures', retries: 0, triggers: { event: 'inngest/function.failed' } },
        () => {
          throw new Error('worse');
        },
      ),
    ]);
    await app.client.send({ name: 'bad/go' });
    await endedRuns('all-failures');
    expect(await sql('SELECT 1 FROM executor.queue')).toEqual([]);
    expect(await runsOf('all-failures')).toMatchObject([{ status: 'FAILED', error: { message: 'worse' } }]);
  });
});
