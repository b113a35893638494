import 'server-only';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { OutageError } from '@/lib/errors/outage-error';

type Question = { password: string; passwordHash?: string };
type Answer = { id: number } & ({ result: string | boolean; tookMs: number } | { error: string });
type Job = { resolve: (result: string | boolean) => void; reject: (error: Error) => void };
type Thread = { worker: Worker; jobs: Map<number, Job> };

type HashPool = {
  /** Hashes a password with argon2id. */
  hash: (password: string) => Promise<string>;
  /** Checks a password against a hash of argon2's. @throws Error when it is none */
  verify: (passwordHash: string, password: string) => Promise<boolean>;
  /** How long one password takes one thread at present, ms: longer while the processor has more urgent work. */
  msEach: () => number;
};

/** Until the first was measured. */
const FIRST_MS = 25;
/** The share of the newest one in the mean. */
const WEIGHT = 0.1;

/**
 * Creates threads of our own for passwords. Node's own few also read files, ask for names and compress, and have the
 * priority of their process.
 * @param threads at least 1; each starts with the first password it gets, and holds 19 MiB while it hashes
 */
export function createHashPool(threads: number): HashPool {
  const running: Thread[] = [];
  let ms = FIRST_MS;
  let lastId = 0;

  const start = (): Thread => {
    // Read from disk like the Lua scripts: two bundles hold this module. None of our process's own flags apply.
    const worker = new Worker(join(process.cwd(), 'lib/account/hash-worker.mjs'), { execArgv: [] });
    const thread: Thread = { worker, jobs: new Map() };
    worker.on('message', (answer: Answer) => {
      const job = thread.jobs.get(answer.id);
      thread.jobs.delete(answer.id);
      if (thread.jobs.size === 0) worker.unref();
      if ('error' in answer) return job?.reject(new Error(answer.error));
      ms += WEIGHT * (answer.tookMs - ms);
      job?.resolve(answer.result);
    });
    const end = () => {
      const at = running.indexOf(thread);
      if (at >= 0) running.splice(at, 1);
      for (const { reject } of thread.jobs.values()) reject(new OutageError('a thread for passwords ended'));
      thread.jobs.clear();
    };
    worker.once('error', end);
    worker.once('exit', end);
    running.push(thread);
    return thread;
  };
  const leastBusy = (): Thread => {
    const [idlest] = running.toSorted((a, b) => a.jobs.size - b.jobs.size);
    return !idlest || (idlest.jobs.size > 0 && running.length < threads) ? start() : idlest;
  };
  const ask = (question: Question) =>
    new Promise<string | boolean>((resolve, reject) => {
      const thread = leastBusy();
      lastId += 1;
      thread.jobs.set(lastId, { resolve, reject });
      // A command that waits for its password must not end before it has it.
      thread.worker.ref();
      thread.worker.postMessage({ id: lastId, ...question });
    });

  return {
    // The thread answers each kind of question with its own kind of result.
    hash: (password) => ask({ password }) as Promise<string>,
    verify: (passwordHash, password) => ask({ password, passwordHash }) as Promise<boolean>,
    msEach: () => ms,
  };
}
