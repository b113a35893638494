import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  advance,
  cleanUp,
  closeHarness,
  EVENT_KEY,
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

const HOUR_MS = 3_600_000;

async function post(url: string, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return {
    status: response.status,
    body: (await response.json()) as { ids: string[]; status: number; error?: string },
  };
}

describe('event de-duplication', () => {
  it('[E4] runs a function once per event id within 24 hours, and again after', async () => {
    const executor = await startExecutor();
    let runs = 0;
    const app = await startApp(executor, (client) => [
      client.createFunction({ id: 'once', triggers: { event: 'order/placed' } }, () => ++runs),
    ]);
    const event = { id: 'order-1', name: 'order/placed', data: {} };
    await app.client.send([event, event]);
    await Promise.all([app.client.send(event), app.client.send(event)]);
    await app.client.send({ ...event, id: 'order-2' });
    await endedRuns('once', 2);
    expect(await runsOf('once')).toHaveLength(2);

    advance(23 * HOUR_MS);
    await app.client.send(event);
    expect(await runsOf('once')).toHaveLength(2);
    advance(2 * HOUR_MS);
    await app.client.send(event);
    await endedRuns('once', 3);
    expect(runs).toBe(3);
  });

  it('[E4] gives a repeated request the same ids and no second run', async () => {
    const executor = await startExecutor();
    await startApp(executor, (client) => [
      client.createFunction(
        { id: 'seeded', triggers: { event: 'seed/given' } },
        ({ event }) => event.id ?? null,
      ),
    ]);
    const body = JSON.stringify([{ name: 'seed/given' }, { name: 'seed/given', id: 'mine' }]);
    const headers = { 'x-inngest-event-id-seed': '1743130137367,eii2YKXRVTJPuA==' };
    const first = await post(`${executor.url}/e/${EVENT_KEY}`, body, headers);
    const again = await post(`${executor.url}/e/${EVENT_KEY}`, body, headers);
    expect(first.body).toEqual({
      ids: ['01JQDAE4RQF8MBCR55T5AK4KXS', '01JQDAE4RQF8MBCR55T5AK4KXT'],
      status: 200,
    });
    expect(again.body).toEqual(first.body);
    const runs = await endedRuns('seeded', 2);
    expect(runs.map((run) => run.result).sort()).toEqual([first.body.ids[0], 'mine'].sort());
    expect(await sql('SELECT id FROM executor.events')).toHaveLength(2);
  });

  it('[E3] answers only when the events are in Postgres', async () => {
    const executor = await startExecutor();
    await startApp(executor, (client) => [
      client.createFunction({ id: 'kept', triggers: { event: 'kept/go' } }, () => null),
    ]);
    const { body } = await post(
      `${executor.url}/e/${EVENT_KEY}`,
      JSON.stringify({ name: 'kept/go', data: { a: 1 } }),
    );
    expect(await sql('SELECT payload FROM executor.events WHERE id = $1', [body.ids[0]])).toMatchObject([
      { payload: { name: 'kept/go', id: body.ids[0], data: { a: 1 } } },
    ]);
    expect(await runsOf('kept')).toHaveLength(1);
  });
});

describe('bad input', () => {
  it.each([
    ['malformed JSON', '{"name":', 400, /not valid JSON/],
    ['no name', '{"data":{}}', 400, /name/],
    ['an empty name', '{"name":""}', 400, /name/],
    ['data that is no object', '{"name":"a","data":[1]}', 400, /data/],
    ['a reserved name', '{"name":"inngest/function.failed"}', 400, /reserved/],
    ['one reserved name among others', '[{"name":"a"},{"name":"inngest/x"}]', 400, /reserved/],
    ['a NUL in the id', '{"name":"a","id":"\\u0000"}', 400, /NUL/],
    ['a time that is none', '{"name":"a","ts":1e300}', 400, /ts/],
    ['too many events', JSON.stringify(Array(5001).fill({ name: 'a' })), 400, /5000/],
    [
      'a body over 1 MiB',
      JSON.stringify({ name: 'a', data: { text: 'x'.repeat(1024 * 1024) } }),
      413,
      /larger/,
    ],
  ])('refuses %s and stores nothing', async (_, body, status, error) => {
    const executor = await startExecutor();
    const answer = await post(`${executor.url}/e/${EVENT_KEY}`, body);
    expect(answer).toEqual({ status, body: { ids: [], status, error: expect.stringMatching(error) } });
    expect(await sql('SELECT id FROM executor.events')).toEqual([]);
    // The server still answers.
    expect((await post(`${executor.url}/e/${EVENT_KEY}`, '{"name":"a"}')).status).toBe(200);
  });

  it('refuses a wrong event key', async () => {
    const executor = await startExecutor();
    for (const key of ['wrong', '', `${EVENT_KEY}x`]) {
      expect((await post(`${executor.url}/e/${key}`, '{"name":"a"}')).status).toBe(401);
    }
    expect(await sql('SELECT id FROM executor.events')).toEqual([]);
  });

  it('knows no other paths, and reports its health', async () => {
    const executor = await startExecutor();
    await startApp(executor, (client) => [
      client.createFunction({ id: 'a', triggers: { event: 'a' } }, () => null),
    ]);
    expect((await post(`${executor.url}/v1/checkpoint/x/async`, '{}')).status).toBe(404);
    const health = await fetch(`${executor.url}/health`);
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok', functions: 1 }]);
  });
});

describe('pruning', () => {
  it('removes ended runs, their steps and events, and nothing that still runs', async () => {
    const { prune } = await import('./prune');
    const { default: pg } = await import('pg');
    const { clock } = await import('./testing/harness');
    const executor = await startExecutor();
    const app = await startApp(executor, (client) => [
      client.createFunction({ id: 'short', triggers: { event: 'short/go' } }, ({ step }) =>
        step.run('a', () => 1),
      ),
      client.createFunction({ id: 'long', triggers: { event: 'long/go' } }, ({ step }) =>
        step.sleep('nap', '7d'),
      ),
    ]);
    await app.client.send([{ name: 'short/go' }, { name: 'long/go' }]);
    await endedRuns('short');
    await until(async () => (await sql(`SELECT 1 FROM executor.queue WHERE kind = 'SLEEP'`)).length === 1);
    await executor.stop();

    const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
    advance(25 * HOUR_MS);
    await prune({ pool, owner: 'test', config: { retainMs: 24 * HOUR_MS, clock } as never });
    await pool.end();
    expect(await runsOf('short')).toEqual([]);
    expect(await runsOf('long')).toMatchObject([{ status: 'RUNNING' }]);
    expect(await sql('SELECT name FROM executor.events')).toEqual([{ name: 'long/go' }]);
    expect(await sql('SELECT 1 FROM executor.steps')).toEqual([]);
    expect(await sql('SELECT 1 FROM executor.seen')).toEqual([]);
  });
});
