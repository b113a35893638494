import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  cleanUp,
  closeHarness,
  EVENT_KEY,
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

const LEASE_MS = 1000;
const FLAGS = ['--import', 'tsx', '--conditions=react-server'];

/** Starts a real executor process; resolves when it serves. */
async function spawnExecutor(): Promise<{ child: ChildProcess; url: string }> {
  const options = {
    databaseUrl: process.env.DATABASE_URL,
    eventKey: EVENT_KEY,
    signingKey: SIGNING_KEY,
    port: 0,
    pollMs: 100,
    leaseMs: LEASE_MS,
  };
  const child = spawn(
    process.execPath,
    [...FLAGS, 'inngest/executor/testing/child.ts', JSON.stringify(options)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  onCleanUp(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const [line] = await once(child.stdout, 'data');
  return { child, url: String(line).trim() };
}

describe('taking over', () => {
  it('[E3] another takes over from one killed in the middle of a run, and repeats no saved step', async () => {
    const dying = await spawnExecutor();
    const steps: string[] = [];
    let hang = () => {};
    const app = await startApp(dying, (client) => [
      client.createFunction({ id: 'orders', triggers: { event: 'orders/accepted' } }, async ({ step }) => {
        const saved = await step.run('saved', () => {
          steps.push('saved');
          return 'kept';
        });
        await step.run('interrupted', async () => {
          steps.push('interrupted');
          // The first time, the executor is killed while this runs.
          if (steps.length === 2)
            await new Promise<void>((resolve) => {
              hang = resolve;
            });
        });
        return saved;
      }),
    ]);
    await app.client.send({ id: 'batch-1', name: 'orders/accepted' });
    await until(() => steps.length === 2);
    dying.child.kill('SIGKILL');
    await once(dying.child, 'exit');
    hang();

    const survivor = await startExecutor({ leaseMs: LEASE_MS });
    expect(await endedRuns('orders')).toMatchObject([{ status: 'COMPLETED', result: 'kept' }]);
    expect(steps).toEqual(['saved', 'interrupted', 'interrupted']);
    // The surviving executor knows the event that the dead one had answered for.
    const response = await fetch(`${survivor.url}/e/${EVENT_KEY}`, {
      method: 'POST',
      body: JSON.stringify({ id: 'batch-1', name: 'orders/accepted' }),
    });
    expect(response.status).toBe(200);
    expect(await runsOf('orders')).toHaveLength(1);
  });

  it('stop gives work back at once, and an answer that comes too late changes nothing', async () => {
    const stopping = await startExecutor({ stopTimeoutMs: 50, leaseMs: 60_000 });
    let calls = 0;
    let answerFirst = () => {};
    const app = await startApp(stopping, (client) => [
      client.createFunction({ id: 'moved', triggers: { event: 'moved/go' } }, async () => {
        calls += 1;
        if (calls > 1) return 'second';
        await new Promise<void>((resolve) => {
          answerFirst = resolve;
        });
        return 'first';
      }),
    ]);
    await app.client.send({ name: 'moved/go' });
    await until(() => calls === 1);
    await stopping.stop();
    expect(await sql('SELECT leased_by FROM executor.queue')).toEqual([{ leased_by: null }]);
    await startExecutor();
    expect(await endedRuns('moved')).toMatchObject([{ status: 'COMPLETED', result: 'second' }]);
    answerFirst();
  });

  it('[L1] takes the event of a function in flight while it stops, and so ends as soon as that is done', async () => {
    const stopping = await startExecutor({ stopTimeoutMs: 20_000 });
    let calls = 0;
    let send = () => {};
    const app = await startApp(stopping, (client) => [
      client.createFunction({ id: 'sender', triggers: { event: 'sender/go' } }, async () => {
        calls += 1;
        await new Promise<void>((resolve) => {
          send = resolve;
        });
        await client.send({ name: 'sender/sent' });
        return 'sent';
      }),
    ]);
    await app.client.send({ name: 'sender/go' });
    await until(() => calls === 1);
    const since = performance.now();
    const stopped = stopping.stop();
    send();
    await stopped;
    expect(performance.now() - since).toBeLessThan(10_000);
    expect(await endedRuns('sender')).toMatchObject([{ status: 'COMPLETED', result: 'sent' }]);
  });

  it('an answer that comes after the lease was lost changes nothing', async () => {
    // This executor must not look for work by itself, or it could claim its own lost item.
    const stalled = await startExecutor({ leaseMs: 60_000, pollMs: 60_000 });
    const answers: (() => void)[] = [];
    const app = await startApp(stalled, (client) => [
      client.createFunction({ id: 'fenced', triggers: { event: 'fenced/go' } }, ({ step }) =>
        step.run('who', async () => {
          const turn = answers.length + 1;
          await new Promise<void>((resolve) => answers.push(resolve));
          return turn;
        }),
      ),
    ]);
    await app.client.send({ name: 'fenced/go' });
    await until(() => answers.length === 1);
    // This is how the end of a lease looks to all other executors.
    await sql('UPDATE executor.queue SET due_at = now()');
    await startExecutor({ leaseMs: 60_000 });
    await until(() => answers.length === 2);

    answers[0]?.();
    await stalled.stop();
    expect(await sql('SELECT memo FROM executor.steps')).toEqual([]);
    answers[1]?.();
    expect(await endedRuns('fenced')).toMatchObject([{ status: 'COMPLETED', result: 2 }]);
  });

  it('goes on after Postgres dropped every connection', async () => {
    const executor = await startExecutor();
    const app = await startApp(executor, (client) => [
      client.createFunction({ id: 'hardy', triggers: { event: 'hardy/go' } }, ({ step }) =>
        step.run('a', () => 'alive'),
      ),
    ]);
    await sql(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await until(() =>
      app.client.send({ id: 'hardy', name: 'hardy/go' }).then(
        () => true,
        () => false,
      ),
    );
    expect(await endedRuns('hardy')).toMatchObject([{ status: 'COMPLETED', result: 'alive' }]);
    expect(await runsOf('hardy')).toHaveLength(1);
  });
});

describe('the executor process', () => {
  it('[L4] syncs an app that comes up later, works, and ends on SIGTERM', async () => {
    const placeholder = await startServer(() => {});
    await placeholder.close();
    const url = placeholder.origin;
    const app = await startApp(
      { url },
      (client) => [client.createFunction({ id: 'hello', triggers: { event: 'hello/said' } }, () => 'hi')],
      { sync: false },
    );
    const child = spawn(process.execPath, [...FLAGS, 'inngest/executor/main.ts'], {
      stdio: 'ignore',
      env: {
        ...process.env,
        EXECUTOR_PORT: new URL(url).port,
        INNGEST_EVENT_KEY: EVENT_KEY,
        INNGEST_SIGNING_KEY: SIGNING_KEY,
        INNGEST_SERVE_ORIGIN: app.origin,
      },
    });
    onCleanUp(async () => child.kill('SIGKILL'));
    await until(async () => {
      const response = await fetch(`${url}/health`).catch(() => undefined);
      return response && ((await response.json()) as { functions: number }).functions === 1;
    });
    await app.client.send({ name: 'hello/said' });
    expect(await endedRuns('hello')).toMatchObject([{ result: 'hi' }]);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
