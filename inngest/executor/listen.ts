import 'server-only';
import pg from 'pg';
import type { Executor } from './types';

const RECONNECT_MS = 1000;

/**
 * Calls `wake` whenever another executor announces work. Reconnects by itself; polling finds the work announced in
 * between.
 * @returns a function that stops listening.
 */
export function listen(executor: Executor, wake: () => void): () => void {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function connect() {
    if (stopped) return;
    const fresh = new pg.Client({ connectionString: executor.config.directUrl, keepAlive: true });
    client = fresh;
    let isLost = false;
    const reconnect = () => {
      if (isLost || stopped) return;
      isLost = true;
      fresh.end().catch(() => undefined);
      timer = setTimeout(connect, RECONNECT_MS);
    };
    fresh.on('error', reconnect);
    fresh.on('end', reconnect);
    fresh.on('notification', ({ payload }) => {
      if (payload !== executor.owner) wake();
    });
    try {
      await fresh.connect();
      await fresh.query('LISTEN executor_wake');
    } catch {
      reconnect();
    }
  }

  void connect();
  return () => {
    stopped = true;
    clearTimeout(timer);
    client?.end().catch(() => undefined);
  };
}
