import 'server-only';
import cluster from 'node:cluster';
import { log } from '@/lib/http/log';
import { failuresInARow, restartPauseMs } from './restart-pause';

/**
 * Keeps `count` web processes on one port. One that ends is replaced, alone and with growing pauses, for as long as it takes.
 * While none has ever listened we end with the first that does: whoever started us should see it. A signal is passed on, and
 * we end when the last of them has.
 */
export function runCluster(count: number): void {
  let isStopping = false;
  let hasListened = false;
  cluster.on('listening', () => {
    hasListened = true;
  });

  /** @param failures of the processes before it, in a row. */
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
    // One that could not even be started never exits; unheard its error would end us.
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
