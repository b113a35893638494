import type { Inngest } from 'inngest';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sign } from './sign';
import {
  cleanUp,
  closeHarness,
  endedRuns,
  onCleanUp,
  resetState,
  runsOf,
  SIGNING_KEY,
  sql,
  startApp,
  startExecutor,
  startServer,
  until,
} from './testing/harness';

beforeEach(resetState);
afterEach(cleanUp);
afterAll(closeHarness);

describe('answers that get lost', () => {
  it('[E4] repeats a call whose answer was lost after its effect, but not the steps before it', async () => {
    const executor = await startExecutor();
    const effects: string[] = [];
    let appOrigin = '';
    let dropNext = false;
    const proxy = await startServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const answer = await fetch(new URL(request.url ?? '', appOrigin), {
        method: request.method,
        body: Buffer.concat(chunks),
        headers: { 'x-inngest-signature': String(request.headers['x-inngest-signature']) },
      });
      const body = await answer.text();
      if (dropNext) {
        dropNext = false;
        request.socket.destroy();
        return;
      }
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(body);
    });
    const app = await startApp(
      executor,
      (client) => [
        client.createFunction({ id: 'lossy', triggers: { event: 'lossy/go' } }, async ({ step }) => {
          await step.run('first', () => effects.push('first'));
          await step.run('second', () => {
            effects.push('second');
            dropNext = effects.length === 2;
          });
          return effects.length;
        }),
      ],
      { serveOrigin: proxy.origin },
    );
    appOrigin = app.origin;
    await app.client.send({ name: 'lossy/go' });
    expect(await endedRuns('lossy')).toMatchObject([{ status: 'COMPLETED' }]);
    expect(effects).toEqual(['first', 'second', 'second']);
  });

  it('an app that is down costs no attempts', async () => {
    const executor = await startExecutor();
    const build = (client: Inngest) => [
      client.createFunction(
        { id: 'patient', retries: 0, triggers: { event: 'patient/go' } },
        ({ attempt }) => attempt,
      ),
    ];
    const app = await startApp(executor, build);
    await app.close();
    await app.client.send({ name: 'patient/go' });
    await until(async () => (await sql('SELECT 1 FROM executor.queue WHERE claim >= 2')).length === 1);
    expect(await runsOf('patient')).toMatchObject([{ status: 'RUNNING' }]);

    await startApp(executor, build);
    expect(await endedRuns('patient')).toMatchObject([{ status: 'COMPLETED', result: 0 }]);
  });

  it.each([
    ['[E4] a connection the app closed while idle costs no attempt and no wait', 600_000, 'COMPLETED', 1],
    [
      '[E4] a connection that broke while the app was at work is a failed call: none runs beside it',
      0,
      'FAILED',
      0,
    ],
  ])('%s', async (_, staleMs, end, repeated) => {
    const executor = await startExecutor({ backoffMs: [60_000], staleMs });
    const used = new WeakSet<object>();
    let [calls, reused] = [0, 0];
    const { server, origin } = await startServer((request, response) => {
      calls += 1;
      if (used.has(request.socket)) {
        reused += 1;
        request.socket.destroy();
        return;
      }
      used.add(request.socket);
      response.setHeader('x-inngest-signature', sign('"ok"', SIGNING_KEY)).end('"ok"');
    });
    // Only the app above closes a connection, however long the machine stands still.
    server.keepAliveTimeout = 0;
    const app = await startApp(executor, () => [], { sync: false });
    const url = `${origin}?fnId=app-idle&stepId=step`;
    await sql(
      `INSERT INTO executor.functions (id, app_id, url, max_attempts, config) VALUES ('app-idle', 'app', $1, 1, '{}')`,
      [url],
    );
    await sql(`INSERT INTO executor.triggers VALUES ('idle/go', 'app-idle')`);
    await app.client.send({ name: 'idle/go' });
    let runs = await endedRuns('idle', 1);
    while (reused === 0 && runs.length < 20) {
      await app.client.send({ name: 'idle/go' });
      runs = await endedRuns('idle', runs.length + 1);
    }
    expect(reused).toBe(1);
    expect(runs.slice(0, -1).map(({ status }) => status)).toEqual(runs.slice(1).map(() => 'COMPLETED'));
    expect(runs.at(-1)?.status).toBe(end);
    expect(calls).toBe(runs.length + repeated);
  });

  it('an app that never answers is retried', async () => {
    const executor = await startExecutor({ callTimeoutMs: 500 });
    let calls = 0;
    const app = await startApp(executor, (client) => [
      client.createFunction({ id: 'slow', triggers: { event: 'slow/go' } }, async () => {
        calls += 1;
        if (calls === 1) await new Promise<void>((resolve) => onCleanUp(async () => resolve()));
        return calls;
      }),
    ]);
    await app.client.send({ name: 'slow/go' });
    // A machine that stands still may let more calls go unanswered.
    const [run] = await endedRuns('slow');
    expect(run).toMatchObject({ status: 'COMPLETED', result: calls });
    expect(calls).toBeGreaterThan(1);
  });
});
