import { execFileSync } from 'node:child_process';
import { awaitWeb } from '@/tools/harness/stack/await-web';
import type { Part } from '@/tools/harness/stack/part';
import { startStack } from '@/tools/harness/stack/start-stack';
import { inngestProgram } from '../../../scripts/infra/inngest-server.mjs';
import type { Profiler } from '../profile/profiler';

const BACKLOG_CAP = 10_000_000;

/** Resident memory in MiB: of the process that sells, and of the one that runs Next behind it. */
export type Memory = { web: number; next: number };

export type Product = {
  env: NodeJS.ProcessEnv;
  /** A temporary folder, and a watcher that ends processes if we are killed. */
  dir: string;
  watch(pid: number | undefined): void;
  /** Port of the web process that sells, with its fast path. */
  port: number;
  readMemory(): Memory;
  /**
   * Starts another web process, for a figure that needs one which has done nothing yet.
   * @param name of its log
   * @param settings in addition to the product's
   */
  startWeb(name: string, settings: Record<string, string>): Promise<{ port: number; stop(): Promise<void> }>;
  /**
   * Starts worker and executor. They run only while a figure needs them, so that they take no processor time from the
   * others.
   */
  startWriters(): Promise<{ stop(): Promise<void> }>;
  /** Copies the logs of all processes to a folder. */
  keepLogs(into: string): void;
  stop(): Promise<void>;
};

/** Settings of a web process that answers everything through Next. */
export const WITHOUT_FAST_PATH = { SECKILL_FAST_LANE: 'off' };

/** Builds if needed and starts the product on servers of its own; of its processes only a web process goes on. */
export async function startProduct(
  root: string,
  { say, profiler }: { say: (line: string) => void; profiler: Profiler | null },
): Promise<Product> {
  const stack = await startStack(root, {
    webCount: 1,
    say,
    hasLinks: false,
    inngest: inngestProgram(),
    ...(profiler ? { envOf: profiler.envOf } : {}),
    // Most figures are measured while no process writes orders, so the backlog grows; side features are measured too,
    // under a load that would switch them off.
    settings: { SECKILL_BACKLOG_CAP: String(BACKLOG_CAP), SHED_ABOVE: 'off' },
  });
  const part = (name: string) => stack.parts.get(name) as Part;
  const [web, worker, executor] = [part('web-1'), part('worker'), part('executor')];
  const origin = stack.webs[0]?.origin ?? '';
  const writers = {
    async stop() {
      await worker.stop();
      await executor.stop();
    },
  };
  await writers.stop();
  return {
    env: stack.env,
    dir: stack.dir,
    watch: stack.watch,
    port: Number(new URL(origin).port),
    readMemory: () => residentMiB(web.pid()),
    async startWeb(name, settings) {
      // A web process is ready once the executor knows its functions. After that it sells without an executor.
      const isAlone = executor.pid() === 0;
      await executor.start();
      const added = await stack.addWeb(name, settings);
      if (isAlone) await executor.stop();
      return { port: Number(new URL(added.origin).port), stop: part(name).stop };
    },
    async startWriters() {
      await executor.start();
      await awaitWeb(origin, `${stack.dir}/logs/web-1.log`, () => web.pid() === 0);
      await worker.start();
      return writers;
    },
    keepLogs: stack.keepLogs,
    stop: stack.stop,
  };
}

/** Returns the memory of a process and of those it has started. */
function residentMiB(pid: number): Memory {
  const ofAll = (which: string) =>
    execFileSync('ps', ['-o', 'rss=', which, String(pid)], { encoding: 'utf8' })
      .split('\n')
      .reduce((sum, row) => sum + Number(row) / 1024, 0);
  return { web: ofAll('-p'), next: ofAll('--ppid') };
}
