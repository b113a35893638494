import { type ChildProcess, execFileSync } from 'node:child_process';
import { awaitWeb } from '@/tools/harness/stack/await-web';
import { buildProduct } from '@/tools/harness/stack/build-product';
import { inngestProgram, startInngestServer } from '../../../scripts/infra/inngest-server.mjs';
import { anyFreePort } from '../../../scripts/infra/ports.mjs';
import { hasEnded, stopChild } from '../../../scripts/infra/processes.mjs';
import { spawnNode } from '../../../scripts/infra/spawn-logged.mjs';
import type { Profiler } from '../profile/profiler';
import type { Servers } from './servers';

const READY_TIMEOUT_MS = 60_000;
const BACKLOG_CAP = 10_000_000;

type Part = { pid: number; port: number; hasEnded(): boolean; stop(): Promise<void> };
type WebPart = Part & {
  /** Returns the resident memory in MiB of the process that sells and of the one that runs Next behind it. */
  rssMiB(): { web: number; next: number };
};

/** Worker and executor; the executor may be an Inngest server. */
type Writers = { pids: { worker: number; executor: number }; stop(): Promise<void> };

export type Product = {
  env: NodeJS.ProcessEnv;
  fastPath: WebPart;
  /** Starts the same build with `SECKILL_FAST_LANE=off`, at first use and after a figure has stopped it. */
  route(): Promise<WebPart>;
  /**
   * Starts another web process, for a figure that needs one which has done nothing yet.
   * @param name of its log
   * @param settings in addition to the product's
   */
  startOwnWeb(name: string, settings?: Record<string, string>): Promise<WebPart>;
  /**
   * Starts worker and executor. They run only while a figure needs them, so that they take no processor time from the
   * others.
   */
  startWriters(): Promise<Writers>;
  stop(): Promise<void>;
};

/** Builds if needed and starts the web process the way `npm start` does, against the bench's own servers. */
export async function startProduct(
  root: string,
  servers: Servers,
  { say, profiler }: { say: (line: string) => void; profiler: Profiler | null },
): Promise<Product> {
  const { databaseUrl, redisUrl, secrets, dir, logFile, watch } = servers;
  const program = inngestProgram();
  const { env, ports, args } = await buildProduct(root, {
    databaseUrl,
    redisUrl,
    secrets,
    // Most figures are measured while no process writes orders, so the backlog grows; side features are measured too,
    // under a load that would switch them off.
    settings: { SECKILL_BACKLOG_CAP: String(BACKLOG_CAP), SHED_ABOVE: 'off' },
    logFile: logFile('build'),
    say,
  });

  const inngestOptions = {
    dir,
    port: ports.executor,
    appOrigin: `http://127.0.0.1:${ports.web}`,
    eventKey: env.INNGEST_EVENT_KEY ?? '',
    signingKey: env.INNGEST_SIGNING_KEY ?? '',
    logFile: logFile('inngest'),
  };
  const running: Part[] = [];
  const start = (name: string, port: number, ofPart: string[], extra: Record<string, string> = {}) => {
    const ownEnv = { ...env, ...extra, ...profiler?.env(name) };
    return run(port, spawnNode({ args: ofPart, cwd: root, env: ownEnv, logFile: logFile(name) }));
  };
  const run = (port: number, child: ChildProcess): Part => {
    watch(child.pid);
    const part = {
      pid: child.pid ?? 0,
      port,
      hasEnded: () => hasEnded(child),
      stop: async () => void (await stopChild(child, { graceMs: 10_000 })),
    };
    running.push(part);
    return part;
  };
  const startExecutor = () =>
    program
      ? run(ports.executor, startInngestServer(program, inngestOptions))
      : start('executor', ports.executor, args.executor);
  const startWeb = async (name: string, port: number, extra: Record<string, string>): Promise<WebPart> => {
    const own = { PORT: String(port), SECKILL_HOST: '127.0.0.1', ...extra };
    const part = start(name, port, args.web, own);
    await awaitWeb(`http://127.0.0.1:${port}`, logFile(name), part.hasEnded);
    return { ...part, rssMiB: () => residentMiB(part.pid) };
  };

  const startAnother = async (name: string, extra: Record<string, string>) => {
    const [port, metrics] = [await anyFreePort(), await anyFreePort()];
    const own = { ...extra, METRICS_PORT: String(metrics) };
    return withExecutor(startExecutor, () => startWeb(name, port, own));
  };

  let route: Promise<WebPart> | undefined;
  return {
    env,
    // A web process is ready once the executor knows its functions. After that it sells without an executor.
    fastPath: await withExecutor(startExecutor, () => startWeb('web', ports.web, {})),
    route: async () => {
      if (!route || (await route).hasEnded()) route = startAnother('web-route', { SECKILL_FAST_LANE: 'off' });
      return route;
    },
    startOwnWeb: (name, settings = {}) => startAnother(name, settings),
    async startWriters() {
      const executor = startExecutor();
      // An Inngest server tells us nothing of the kind, but the web process was not ready before it knew the functions.
      if (!program) await healthy(ports.executor);
      const worker = start('worker', 0, args.worker);
      return {
        pids: { worker: worker.pid, executor: executor.pid },
        async stop() {
          await worker.stop();
          await executor.stop();
        },
      };
    },
    stop: async () => {
      await Promise.all(running.map((part) => part.stop()));
    },
  };
}

async function withExecutor<T>(startExecutor: () => Part, work: () => Promise<T>): Promise<T> {
  const executor = startExecutor();
  try {
    return await work();
  } finally {
    await executor.stop();
  }
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

/** Returns the memory of a process and of those it has started. */
function residentMiB(pid: number): { web: number; next: number } {
  const ofAll = (which: string) =>
    execFileSync('ps', ['-o', 'rss=', which, String(pid)], { encoding: 'utf8' })
      .split('\n')
      .reduce((sum, row) => sum + Number(row) / 1024, 0);
  return { web: ofAll('-p'), next: ofAll('--ppid') };
}
