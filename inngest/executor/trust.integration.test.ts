import { text } from 'node:stream/consumers';
import type { Inngest } from 'inngest';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bearerToken, sign } from './sign';
import { syncApp } from './sync-app';
import {
  cleanUp,
  closeHarness,
  endedRuns,
  logged,
  resetState,
  SIGNING_KEY,
  sql,
  startApp,
  startExecutor,
  startServer,
  type TestApp,
} from './testing/harness';

beforeEach(resetState);
afterEach(cleanUp);
afterAll(closeHarness);

const OTHER_KEY = 'signkey-prod-ffeeddccbbaa99887766554433221100';

const configOf = (id: string, url: string, rest: object = {}) => ({
  id,
  name: id,
  triggers: [{ event: `${id}/go` }],
  steps: {
    step: {
      id: 'step',
      name: 'step',
      runtime: { type: 'http', url: `${url}?fnId=${id}&stepId=step` },
      retries: { attempts: 1 },
    },
  },
  ...rest,
});

async function register(executorUrl: string, functions: object[], token = bearerToken(SIGNING_KEY)) {
  const response = await fetch(`${executorUrl}/fn/register`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ url: 'http://app', appName: 'app', functions, sdk: 'js:v4', v: '0.1' }),
  });
  return { status: response.status, body: (await response.json()) as { error?: string; modified?: boolean } };
}

describe('signatures', () => {
  it('an app with another signing key neither syncs nor runs anything', async () => {
    const executor = await startExecutor();
    let runs = 0;
    const build = (client: Inngest) => [
      client.createFunction({ id: 'guarded', retries: 1, triggers: { event: 'guarded/go' } }, () => {
        runs += 1;
      }),
    ];
    const app = await startApp(executor, build, { signingKey: OTHER_KEY, sync: false });
    expect(await syncApp(app.origin, SIGNING_KEY)).toMatch(/401/);
    // Even after its functions are registered, the app refuses the executor's calls.
    await register(executor.url, [
      configOf('app-guarded', app.origin, { triggers: [{ event: 'guarded/go' }] }),
    ]);
    await app.client.send({ name: 'guarded/go' });
    expect(await endedRuns('guarded')).toMatchObject([{ status: 'FAILED' }]);
    expect(runs).toBe(0);
  });

  it('registration needs the signing key', async () => {
    const executor = await startExecutor();
    for (const token of ['', bearerToken(OTHER_KEY), SIGNING_KEY]) {
      expect((await register(executor.url, [configOf('app-x', 'http://app')], token)).status).toBe(401);
    }
    expect(await sql('SELECT 1 FROM executor.functions')).toEqual([]);
  });

  it.each([
    ['unsigned', () => ({})],
    ['signed with another key', (body: string) => ({ 'x-inngest-signature': sign(body, OTHER_KEY) })],
    ['signed for another body', () => ({ 'x-inngest-signature': sign('"else"', SIGNING_KEY) })],
  ])('an answer that is %s is an error, whatever it says', async (_, headersFor) => {
    const executor = await startExecutor();
    const answers = [
      { status: 200, body: '"paid"' },
      { status: 206, body: JSON.stringify([{ id: 'x', op: 'StepRun', data: 'paid' }]) },
      { status: 400, body: '{"message":"failed"}' },
    ];
    let calls = 0;
    const { origin } = await startServer((_request, response) => {
      const answer = answers[calls++ % answers.length] ?? { status: 500, body: '' };
      const headers = {
        'x-inngest-no-retry': 'true',
        'x-inngest-req-version': '2',
        ...headersFor(answer.body),
      };
      response.writeHead(answer.status, headers).end(answer.body);
    });
    await register(executor.url, [
      configOf('app-forged', origin, {
        steps: { step: { runtime: { type: 'http', url: origin }, retries: { attempts: 2 } } },
      }),
    ]);
    const app = await startApp(executor, () => [], { sync: false });
    await app.client.send({ name: 'app-forged/go' });
    const [run] = await endedRuns('forged');
    expect(run).toMatchObject({ status: 'FAILED', error: { message: expect.stringMatching(/not signed/) } });
    expect(calls).toBe(3);
    expect(await sql('SELECT 1 FROM executor.steps')).toEqual([]);
  });
});

/** Signs as a sender whose clock is wrong by `byMs`. */
function signedOff(text: string, byMs: number): string {
  const wrong = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + byMs);
  try {
    return sign(text, SIGNING_KEY);
  } finally {
    wrong.mockRestore();
  }
}

describe('clocks that are ten minutes apart', () => {
  it.each([
    ['slow', -600_000],
    ['fast', 600_000],
  ])(
    '[J4 K5] an app whose clock is %s is called again until it is right: nothing is lost',
    async (_, offMs) => {
      const executor = await startExecutor();
      let calls = 0;
      let app: TestApp | undefined;
      // If the app's clock is wrong, each side finds the other's time wrong: the app refuses the first call, and the
      // executor refuses the answer to the second.
      const between = await startServer(async (request, response) => {
        calls += 1;
        const body = await text(request);
        const headers = { ...(request.headers as Record<string, string>) };
        if (calls === 1) headers['x-inngest-signature'] = signedOff(body, offMs);
        const answer = await fetch(`${app?.origin}${request.url}`, { method: 'POST', headers, body });
        const answered = await answer.text();
        const own = Object.fromEntries(answer.headers);
        if (calls === 1) expect(answer.status).toBe(401);
        if (calls === 2) own['x-inngest-signature'] = signedOff(answered, offMs);
        for (const hop of ['connection', 'keep-alive', 'transfer-encoding', 'content-encoding'])
          delete own[hop];
        response.writeHead(answer.status, own).end(answered);
      });
      const build = (client: Inngest) => [
        client.createFunction({ id: 'patient', retries: 3, triggers: { event: 'patient/go' } }, () => 'done'),
      ];
      app = await startApp(executor, build, { serveOrigin: between.origin });
      await app.client.send({ name: 'patient/go' });
      expect(await endedRuns('patient')).toMatchObject([{ status: 'COMPLETED', result: 'done' }]);
      expect(calls).toBe(3);
    },
  );
});

describe('what is not supported', () => {
  it.each([
    ['batchEvents', { batchEvents: { maxSize: 10, timeout: '1s' } }],
    ['cancel', { cancel: [{ event: 'x' }] }],
    ['throttle', { throttle: { limit: 1, period: '1s' } }],
    ['rateLimit', { rateLimit: { limit: 1, period: '1s' } }],
    ['debounce', { debounce: { period: '1s' } }],
    ['priority', { priority: { run: '1' } }],
    ['singleton', { singleton: { mode: 'skip' } }],
    ['idempotency', { idempotency: 'event.data.id' }],
    ['timeouts', { timeouts: { finish: '1m' } }],
    ['concurrency', { concurrency: { limit: 1, key: 'event.data.id' } }],
    ['expressions', { triggers: [{ event: 'a', expression: 'event.data.x == 1' }] }],
    ['inngest/function.finished', { triggers: [{ event: 'inngest/function.finished' }] }],
    ['jitter', { triggers: [{ cron: '* * * * *', jitter: '1m' }] }],
    ['CronPattern', { triggers: [{ cron: '* * * * * *' }] }],
    ['20', { steps: { step: { runtime: { type: 'http', url: 'http://app' }, retries: { attempts: 21 } } } }],
    ['HTTP', { steps: { step: { runtime: { type: 'ws', url: 'ws://app' } } } }],
  ])('is refused at registration by name: %s', async (name, rest) => {
    const executor = await startExecutor();
    const { status, body } = await register(executor.url, [
      configOf('app-fine', 'http://app'),
      configOf('app-odd', 'http://app', rest),
    ]);
    expect(status).toBe(400);
    expect(body.error).toContain('app-odd');
    expect(body.error).toContain(name);
    expect(await sql('SELECT 1 FROM executor.functions')).toEqual([]);
  });

  it('reaches whoever syncs the app', async () => {
    const executor = await startExecutor();
    const app = await startApp(
      executor,
      (client) => [
        client.createFunction(
          { id: 'batched', triggers: { event: 'b/go' }, batchEvents: { maxSize: 2, timeout: '1s' } },
          () => null,
        ),
      ],
      { sync: false },
    );
    expect(await syncApp(app.origin, SIGNING_KEY)).toMatch(/^400 .*batchEvents/);
  });

  it('fails the run with the name of the op', async () => {
    const executor = await startExecutor();
    const failures: string[] = [];
    const app = await startApp(executor, (client) => {
      const waits = client.createFunction(
        {
          id: 'waits',
          triggers: { event: 'waits/go' },
          onFailure: ({ error }) => {
            failures.push(error.message);
          },
        },
        ({ step }) => step.waitForEvent('for payment', { event: 'paid', timeout: '1m' }),
      );
      return [waits];
    });
    await app.client.send({ name: 'waits/go' });
    await endedRuns('waits-failure');
    expect(failures).toEqual([
      'Step "for payment" uses WaitForEvent, which the embedded executor does not support.',
    ]);
    expect(logged.join()).toContain('WaitForEvent');
  });
});

describe('registration', () => {
  it('replaces what the app had, says whether anything changed, and leaves other apps alone', async () => {
    const executor = await startExecutor();
    const names = async () =>
      (await sql<{ event_name: string }>('SELECT event_name FROM executor.triggers ORDER BY 1')).map(
        (row) => row.event_name,
      );
    const both = [configOf('app-a', 'http://app'), configOf('app-b', 'http://app')];
    expect((await register(executor.url, both)).body.modified).toBe(true);
    expect((await register(executor.url, both)).body.modified).toBe(false);
    expect(await names()).toEqual(['app-a/go', 'app-b/go']);
    expect(
      (await register(executor.url, [configOf('app-a', 'http://app', { triggers: [{ event: 'new' }] })])).body
        .modified,
    ).toBe(true);
    expect(await names()).toEqual(['new']);
    expect((await register(executor.url, both)).body.modified).toBe(true);
    expect(await names()).toEqual(['app-a/go', 'app-b/go']);
  });
});
