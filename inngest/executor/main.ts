import { executorEnv } from '@/lib/env';
import { log } from '@/lib/http/log';
import { lowerPriority, WRITER_NICENESS } from '@/lib/lower-priority';
import { startOrExplain } from '@/lib/start-or-explain';
import { createExecutor } from './create-executor';
import { keepSynced } from './sync-app';

/** Entry of the executor process: serves, keeps the app registered and ends on SIGTERM or SIGINT. */

/**
 * Bounds the stop. The supervisor kills after 5.5 s, and a busy machine may take seconds of that until this process, of
 * low priority, hears of the signal. If the database no longer answers, the leases run out by themselves.
 */
const MAX_STOP_MS = 3_000;

async function run(): Promise<void> {
  const { serveOrigin, ...options } = executorEnv();
  const executor = createExecutor({ ...options, log });
  let isStopping = false;
  let stopSyncing: (() => void) | undefined;

  async function stop() {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), MAX_STOP_MS).unref();
    stopSyncing?.();
    try {
      await executor.stop();
      process.exit(0);
    } catch (error) {
      log.error({ err: error }, 'The executor did not stop cleanly');
      process.exit(1);
    }
  }
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  lowerPriority(process.pid, WRITER_NICENESS);
  await executor.start();
  stopSyncing = keepSynced(serveOrigin, options.signingKey, log);
  log.info({ url: executor.url }, 'Executor ready');
}

await startOrExplain({ host: 'EXECUTOR_HOST', port: 'EXECUTOR_PORT' }, run);
