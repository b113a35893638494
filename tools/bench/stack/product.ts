import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildWhenChanged } from '../../../scripts/infra/build-when-changed.mjs';
import { bundleServer } from '../../../scripts/infra/bundle-server.mjs';
import { cleanEnv } from '../../../scripts/infra/clean-env.mjs';
import { TYPESCRIPT } from '../../../scripts/infra/part-commands.mjs';
import { anyFreePort } from '../../../scripts/infra/ports.mjs';
import { Problem } from '../../../scripts/infra/problem.mjs';
import { hasEnded, stopChild } from '../../../scripts/infra/processes.mjs';
import { lastLine } from '../../../scripts/infra/read-log.mjs';
import { partEnv } from '../../../scripts/infra/settings.mjs';
import { waitUntilReady } from '../../../scripts/infra/wait-until-ready.mjs';
import type { Servers } from './servers';

const READY_TIMEOUT_MS = 60_000;
const BACKLOG_CAP = 10_000_000;

export type Part = { pid: number; port: number; hasEnded(): boolean; stop(): Promise<void> };
type WebPart = Part & {
  /** Resident memory in MiB, of the process that sells and of the one that runs Next behind it. */
  rssMiB(): { web: number; next: number };
};

export type Product = {
  env: NodeJS.ProcessEnv;
  fastPath: WebPart;
  /** The same build with `SECKILL_FAST_LANE=off`, started at first use. */
  route(): Promise<WebPart>;
  /** Worker and executor: only while a figure needs them, so that they take no processor time from the others. */
  startWriters(): Promise<{ stop(): Promise<void> }>;
  stop(): Promise<void>;
};

/** Builds if needed and starts the web process the way `npm start` does, against the bench's own servers. */
export async function startProduct(
  root: string,
  servers: Servers,
  { say, profile }: { say: (line: string) => void; profile: string | null },
): Promise<Product> {
  const ports = { web: await anyFreePort(), executor: await anyFreePort(), metrics: await anyFreePort() };
  const base = cleanEnv(process.env, distDir());
  const { databaseUrl, redisUrl, secrets, dir } = servers;
  const env: NodeJS.ProcessEnv = {
    ...partEnv({ base, secrets, databaseUrl, redisUrl, ports, isDev: false, isDemo: false }),
    // Most figures are measured without anybody who writes orders.
    SECKILL_BACKLOG_CAP: String(BACKLOG_CAP),
    ALLOW_SANDBOX_PAYMENTS: '1',
  };
  say(`build: ${await buildWhenChanged({ root, logFile: join(dir, 'logs/build.log'), env })}`);
  const server = await bundleServer({ root, dist: env.NEXT_DIST_DIR || '.next' });

  const running: Part[] = [];
  const start = (name: string, port: number, args: string[], extra: Record<string, string> = {}): Part => {
    const child = spawnPart(root, join(dir, `logs/${name}.log`), args, { ...env, ...extra });
    servers.watch(child.pid);
    const part = {
      pid: child.pid ?? 0,
      port,
      hasEnded: () => hasEnded(child),
      stop: async () => void (await stopChild(child, { graceMs: 10_000 })),
    };
    running.push(part);
    return part;
  };
  const startWeb = async (name: string, port: number, extra: Record<string, string>): Promise<WebPart> => {
    const profiling = profile && name === 'web' ? ['--cpu-prof', '--cpu-prof-dir', resolve(profile)] : [];
    const args = ['--enable-source-maps', ...profiling, server];
    const part = start(name, port, args, { PORT: String(port), SECKILL_HOST: '127.0.0.1', ...extra });
    const logFile = join(dir, `logs/${name}.log`);
    await waitUntilReady({ origin: `http://127.0.0.1:${port}`, logFile, isCancelled: part.hasEnded });
    if (part.hasEnded()) throw new Problem(`The web process ${name} ended: ${lastLine(logFile)}`);
    return { ...part, rssMiB: () => residentMiB(part.pid) };
  };

  let route: Promise<WebPart> | undefined;
  return {
    env,
    // A web process is ready once the executor knows its functions; after that it sells without one.
    fastPath: await withExecutor(start, ports.executor, () => startWeb('web', ports.web, {})),
    route: () => {
      route ??= (async () => {
        const [port, metrics] = [await anyFreePort(), await anyFreePort()];
        const extra = { SECKILL_FAST_LANE: 'off', METRICS_PORT: String(metrics) };
        return withExecutor(start, ports.executor, () => startWeb('web-route', port, extra));
      })();
      return route;
    },
    startWriters: () => startWriters(start, ports.executor),
    stop: async () => {
      await Promise.all(running.map((part) => part.stop()));
    },
  };
}

type Start = (name: string, port: number, args: string[]) => Part;

async function withExecutor<T>(start: Start, executorPort: number, work: () => Promise<T>): Promise<T> {
  const executor = start('executor', executorPort, [...TYPESCRIPT, 'inngest/executor/main.ts']);
  try {
    return await work();
  } finally {
    await executor.stop();
  }
}

async function startWriters(start: Start, executorPort: number) {
  const executor = start('executor', executorPort, [...TYPESCRIPT, 'inngest/executor/main.ts']);
  await healthy(executorPort);
  const worker = start('worker', 0, [...TYPESCRIPT, 'scripts/worker.ts']);
  return {
    async stop() {
      await worker.stop();
      await executor.stop();
    },
  };
}

async function healthy(executorPort: number): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    const functions = await fetch(`http://127.0.0.1:${executorPort}/health`)
      .then(async (response) => ((await response.json()) as { functions: number }).functions)
      .catch(() => 0);
    if (functions > 0) return;
    if (Date.now() > deadline) throw new Error('the executor did not become healthy');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A second checkout of the build folder may be named from outside; everything else of ours is the bench's own. */
function distDir(): Record<string, string> {
  const given = process.env.NEXT_DIST_DIR;
  return given ? { NEXT_DIST_DIR: given } : {};
}

function spawnPart(root: string, logFile: string, args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', log, log] });
  closeSync(log);
  return child;
}

/** Of a process and those it has started. */
function residentMiB(pid: number): { web: number; next: number } {
  const ofAll = (which: string) =>
    execFileSync('ps', ['-o', 'rss=', which, String(pid)], { encoding: 'utf8' })
      .split('\n')
      .reduce((sum, row) => sum + Number(row) / 1024, 0);
  return { web: ofAll('-p'), next: ofAll('--ppid') };
}
