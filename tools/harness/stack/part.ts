import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasEnded, stopChild } from '../../../scripts/infra/processes.mjs';

/** A process of the product that can be killed, frozen and started again. */
export type Part = {
  name: string;
  /** Returns the process's id; 0 while it does not run. */
  pid(): number;
  /**
   * Starts the process, on the files and the port it had. Resolves once it runs (a store: answers).
   * @param extra environment of this start, and of restarts after its crashes, only
   */
  start(extra?: Record<string, string>): Promise<void>;
  /** Sends SIGKILL, also to its own children; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Sends SIGSTOP, also to its own children. */
  freeze(): void;
  /** Sends SIGCONT. */
  thaw(): void;
  /** Ends the process in an orderly way. */
  stop(): Promise<void>;
};

type PartOptions = {
  name: string;
  launch: (onSpawn: (child: ChildProcess) => void, extra: Record<string, string>) => Promise<void>;
  stopSignal?: NodeJS.Signals;
  /** True: its children are processes of the same server (Postgres) and share its fate. */
  hasFamily?: boolean;
  /** Called when the process ended unexpectedly; it is started again as `npm start` would. */
  onCrash: (how: string) => void;
};

const RESTART_AFTER_MS = 500;

/** Makes a part that does not run yet. Starting a running part, or killing a stopped one, does nothing. */
export function createPart(options: PartOptions): Part {
  const { name, launch, stopSignal = 'SIGTERM', hasFamily = false, onCrash } = options;
  let child: ChildProcess | undefined;
  let isWanted = false;
  let frozen: number[] = [];
  const running = () => (child && !hasEnded(child) ? child : undefined);
  const family = (pid: number) => (hasFamily ? [pid, ...childrenOf(pid)] : [pid]);
  const start = async (extra: Record<string, string> = {}) => {
    isWanted = true;
    if (running()) return;
    await launch((spawned) => {
      child = spawned;
      spawned.once('exit', async (code, endedBy) => {
        if (!isWanted || child !== spawned) return;
        onCrash(`ended with ${endedBy ?? `exit code ${code}`}`);
        await sleep(RESTART_AFTER_MS);
        if (isWanted) await start(extra).catch((error: unknown) => onCrash(String(error)));
      });
    }, extra);
  };
  const thaw = () => {
    for (const pid of frozen) signal(pid, 'SIGCONT');
    frozen = [];
  };
  return {
    name,
    pid: () => running()?.pid ?? 0,
    start,
    async kill() {
      isWanted = false;
      const victim = running();
      if (!victim?.pid) return;
      const gone = once(victim, 'exit');
      for (const pid of family(victim.pid)) signal(pid, 'SIGKILL');
      frozen = [];
      await gone;
    },
    freeze() {
      const victim = running();
      if (!victim?.pid) return;
      // Stops the parent first, because it must not start others meanwhile.
      signal(victim.pid, 'SIGSTOP');
      frozen = family(victim.pid);
      for (const pid of frozen) signal(pid, 'SIGSTOP');
    },
    thaw,
    async stop() {
      isWanted = false;
      thaw();
      const last = running();
      if (last) await stopChild(last, { signal: stopSignal, graceMs: 10_000 });
    },
  };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended by itself.
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return psChildren(pid);
  }
}

function psChildren(pid: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return rows
    .map((row) => row.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (child !== undefined && parent === pid ? [child] : []));
}
