import 'server-only';
import cluster from 'node:cluster';
import { log } from '@/lib/http/log';
import { failuresInARow, restartPauseMs } from './restart-pause';

/**
 * Keeps `count` web processes on one port. Replaces each process that ends, with growing pauses, for as long as it
 * takes. While none has ever listened, the cluster ends with the first process that does, so that the operator sees
 * the failure. Passes signals on, and ends when the last process has ended.
 */
export function runCluster(count: number): void {
  let isStopping = false;
  let hasListened = false;
  cluster.on('listening', () => {
    hasListened = true;
  });

  /** Starts a process. @param failures of the processes before it, in a row. */
  const add = (failures: number) => {
    const startedAt = performance.now();
    const worker = cluster.fork();
    const { process: child } = worker;
    const onEnd = (how: unknown) => {
      if (isStopping) {
        if (Object.keys(cluster.workers ?? {}).length === 0) process.exit(0);
        return;
      }
      const inARow = failuresInARow(failures, startedAt);
      const pauseMs = restartPauseMs(inARow);
      log.error({ pid: child.pid, how, failures: inARow, pauseMs }, 'a web process ended and is replaced');
      if (!hasListened) process.exit(1);
      setTimeout(() => !isStopping && add(inARow), pauseMs);
    };
    worker.once('exit', (code, signal) => onEnd(signal ?? code));
    // A process that could not even start never exits; without a listener its error would end us.
    worker.on('error', (error) => child.pid === undefined && onEnd(error.message));
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
  for (let at = 0; at < count; at += 1) add(0);
}
