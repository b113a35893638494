import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Inngest, type InngestFunction } from 'inngest';
import { serve } from 'inngest/node';
import pg from 'pg';
import { vi } from 'vitest';
import { createExecutor, type EmbeddedExecutor } from '../create-executor';
import { syncApp } from '../sync-app';
import type { ExecutorOptions } from '../types';

/**
 * The shared parts of the executor's tests: a real SDK app over HTTP, executors on the file's database, and a clock
 * that can jump.
 */

export const EVENT_KEY = 'test-event-key';
export const SIGNING_KEY = 'signkey-prod-00112233445566778899aabbccddeeff';
const APP_ID = 'app';

const databaseUrl = process.env.DATABASE_URL ?? '';
const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
// One test drops every connection of the database, these included.
pool.on('error', () => undefined);
const cleanups: (() => Promise<unknown>)[] = [];
let offsetMs = 0;

/** Warnings and errors that the executors logged during the test. */
export const logged: string[] = [];
const note = (fields: object, message: string) => logged.push(`${message} ${JSON.stringify(fields)}`);

/** Epoch ms as the executors of the tests see it. */
export const clock = () => Date.now() + offsetMs;

/** Moves the executors' clock forward. */
export function advance(ms: number): void {
  offsetMs += ms;
}

/** Waits until a condition holds, five minutes at most: a limit for what hangs, not for what is slow. */
export const until = (condition: () => unknown) => vi.waitUntil(condition, { interval: 5, timeout: 300_000 });

/** Runs SQL on the executor's tables. */
export async function sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await pool.query<Row>(text, values)).rows;
}

/** Creates the executor's schema if it is missing, and empties it. For `beforeEach`. */
export async function resetState(): Promise<void> {
  offsetMs = 0;
  logged.length = 0;
  const [found] = await sql<{ exists: boolean }>(`SELECT to_regclass('executor.runs') IS NOT NULL AS exists`);
  if (!found?.exists) {
    await sql(await readFile(`${process.cwd()}/prisma/migrations/0002_executor/migration.sql`, 'utf8'));
  }
  await sql('TRUNCATE executor.functions, executor.events, executor.seen CASCADE');
}

/** Stops everything the test started, latest first. For `afterEach`. */
export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}

/** Closes the harness's own connections. For `afterAll`. */
export const closeHarness = () => pool.end();

/** Registers a clean-up for the end of the test. */
export const onCleanUp = (cleanup: () => Promise<unknown>) => cleanups.push(cleanup);

/** Starts an executor on a free port, with short waits. The end of the test stops it if the test has not. */
export async function startExecutor(options: Partial<ExecutorOptions> = {}): Promise<EmbeddedExecutor> {
  const executor = createExecutor({
    databaseUrl,
    eventKey: EVENT_KEY,
    signingKey: SIGNING_KEY,
    port: 0,
    backoffMs: [20],
    pollMs: 50,
    // So long that no stall of the machine ends a lease.
    leaseMs: 60_000,
    clock,
    log: { info: () => {}, warn: note, error: note },
    ...options,
  });
  await executor.start();
  let stopping: Promise<void> | undefined;
  const stopOnce = () => {
    stopping ??= executor.stop();
    return stopping;
  };
  cleanups.push(stopOnce);
  return {
    start: executor.start,
    stop: stopOnce,
    get url() {
      return executor.url;
    },
  };
}

/** Starts an HTTP server on a free port of the loopback interface. */
export async function startServer(
  listener: RequestListener,
): Promise<{ server: Server; origin: string; close(): Promise<void> }> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  cleanups.push(close);
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

export interface TestApp {
  client: Inngest;
  origin: string;
  close(): Promise<void>;
}

/**
 * Starts an app as users write it: the real SDK, signed, over HTTP, registered with the executor.
 * @param build makes the functions; `client.createFunction` as anywhere else.
 */
export async function startApp(
  executor: { url: string },
  build: (client: Inngest) => InngestFunction.Any[],
  options: { signingKey?: string; serveOrigin?: string; sync?: boolean } = {},
): Promise<TestApp> {
  const { signingKey = SIGNING_KEY, sync = true } = options;
  const silent = { info() {}, warn() {}, error() {}, debug() {} };
  const client = new Inngest({
    id: APP_ID,
    isDev: false,
    baseUrl: executor.url,
    eventKey: EVENT_KEY,
    signingKey,
    logger: silent,
  });
  const functions = build(client);
  let handler: RequestListener | undefined;
  const { origin, close } = await startServer((request, response) => handler?.(request, response));
  handler = serve({
    client,
    functions,
    serveOrigin: options.serveOrigin ?? origin,
    enableUnauthedSync: false,
  });
  if (sync) {
    const problem = await syncApp(origin, SIGNING_KEY);
    if (problem) throw new Error(`sync failed: ${problem}`);
  }
  return { client, origin, close };
}

/** Reads the rows of the runs of one function, oldest first. */
export const runsOf = (functionId: string) =>
  sql<{ id: string; status: string; result: unknown; error: { message: string } | null }>(
    'SELECT id, status, result, error FROM executor.runs WHERE function_id = $1 ORDER BY id',
    [`${APP_ID}-${functionId}`],
  );

/** Waits until `count` runs of a function have ended, and returns all the runs it has. */
export async function endedRuns(functionId: string, count = 1) {
  await until(
    async () => (await runsOf(functionId)).filter((run) => run.status !== 'RUNNING').length >= count,
  );
  return runsOf(functionId);
}
