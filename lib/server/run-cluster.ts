import 'server-only';
import cluster, { type Worker } from 'node:cluster';
import { log } from '@/lib/http/log';

const FAST_CRASH_MS = 10_000;
const RESTART_AFTER_MS = 500;

/**
 * Keeps `count` web processes on one port: one that ends is replaced, unless it never came up; then whoever started us
 * should see it. A signal is passed on, and we end when the last of them has.
 */
export function runCluster(count: number): void {
  let isStopping = false;

  const add = () => {
    const startedAt = Date.now();
    const worker: Worker = cluster.fork();
    worker.once('exit', (code, signal) => {
      if (isStopping) {
        if (Object.keys(cluster.workers ?? {}).length === 0) process.exit(0);
        return;
      }
      log.error({ pid: worker.process.pid, code, signal }, 'a web process ended');
      if (Date.now() - startedAt < FAST_CRASH_MS && code !== 0 && signal === null) process.exit(1);
      setTimeout(() => {
        if (!isStopping) add();
      }, RESTART_AFTER_MS);
    });
  };
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) return;
    isStopping = true;
    const workers = Object.values(cluster.workers ?? {});
    if (workers.length === 0) process.exit(0);
    for (const worker of workers) worker?.process.kill(signal);
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGTERM'));
  for (let at = 0; at < count; at += 1) add();
}
