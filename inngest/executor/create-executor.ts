import 'server-only';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limitMs } from '@/lib/time-limits';
import { createPool } from './create-pool';
import { createDispatcher, type Dispatcher } from './dispatcher';
import { createHttpServer } from './http-server';
import { newId } from './ids';
import { listen } from './listen';
import { prune } from './prune';
import { runCrons } from './run-crons';
import type { Executor, ExecutorConfig, ExecutorOptions } from './types';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const POOL_SIZE = 10;
const PRUNE_EVERY_MS = MINUTE;

const silent = () => undefined;
type Defaulted = Omit<ExecutorConfig, 'databaseUrl' | 'directUrl' | 'eventKey' | 'signingKey'>;
const DEFAULTS: Omit<Defaulted, 'callTimeoutMs'> = {
  host: '127.0.0.1',
  port: 8288,
  // The Inngest server's waits between attempts.
  backoffMs: [15 * SECOND, 30 * SECOND, ...[1, 2, 5, 10, 20, 40, 60, 120].map((minutes) => minutes * MINUTE)],
  leaseMs: 15 * SECOND,
  pollMs: SECOND,
  maxConcurrentCalls: 32,
  staleMs: 5 * SECOND,
  stopTimeoutMs: 2.5 * SECOND,
  retainMs: 24 * 60 * MINUTE,
  clock: Date.now,
  log: { info: silent, warn: silent, error: silent },
};

/** Applies the defaults. An option that is present but undefined must not replace its default. */
function withDefaults(options: ExecutorOptions): ExecutorConfig {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const { databaseUrl: directUrl } = options;
  const callTimeoutMs = limitMs('functionCall');
  return { ...DEFAULTS, directUrl, callTimeoutMs, ...Object.fromEntries(given) } as ExecutorConfig;
}

/** An executor: `start` runs it, `stop` ends it. Several executors may share a database. */
export interface EmbeddedExecutor {
  /** Starts to serve and to work; resolves when the executor accepts events. */
  start(): Promise<void>;
  /**
   * Stops claiming, waits up to `stopTimeoutMs` for calls in flight and gives the other items back. Takes events until
   * then; it keeps them for the next executor.
   */
  stop(): Promise<void>;
  /** The origin to give the SDK as `INNGEST_BASE_URL`. Known after `start`. */
  readonly url: string;
}

/**
 * Creates an executor that speaks the Inngest protocol and keeps its state in Postgres (schema `executor`). Steps run
 * at least once: a crash between a step's effect and its memo repeats the step.
 */
export function createExecutor(options: ExecutorOptions): EmbeddedExecutor {
  const config = withDefaults(options);
  const pool = createPool(config, POOL_SIZE);
  const executor: Executor = { config, pool, owner: newId(Date.now()) };
  let server: Server | undefined;
  let dispatcher: Dispatcher | undefined;
  let stopListening: (() => void) | undefined;
  const timers: NodeJS.Timeout[] = [];

  /** Runs `job` every `ms`, never twice at the same time. */
  function every(ms: number, what: string, job: () => Promise<void>) {
    let isRunning = false;
    const run = async () => {
      if (isRunning) return;
      isRunning = true;
      try {
        await job();
      } catch (error) {
        config.log.error({ err: error }, `${what} failed`);
      } finally {
        isRunning = false;
      }
    };
    timers.push(setInterval(run, ms));
  }

  return {
    get url() {
      const address = server?.address() as AddressInfo | null | undefined;
      if (!address) throw new Error('The executor is not started.');
      return `http://${config.host}:${address.port}`;
    },
    async start() {
      const current = createDispatcher(executor);
      dispatcher = current;
      server = createHttpServer(executor, current.wake);
      server.listen(config.port, config.host);
      await once(server, 'listening');
      stopListening = listen(executor, current.wake);
      let checkedUntilMs = config.clock();
      every(config.pollMs, 'Starting cron functions', async () => {
        const nowMs = config.clock();
        if ((await runCrons(executor, checkedUntilMs)) > 0) current.wake();
        checkedUntilMs = nowMs;
      });
      every(PRUNE_EVERY_MS, 'Pruning', () => prune(executor));
      current.wake();
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      // First, because a function in flight may send an event: refused, it would try again for as long as we wait.
      await dispatcher?.stop();
      server?.close();
      server?.closeAllConnections();
      stopListening?.();
      await pool.end();
    },
  };
}
