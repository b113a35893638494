import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** Our own lock, not the engine's (72707369): the engine gives up after 10 s, and a long migration may take longer. */
export const MIGRATIONS_LOCK_KEY = 5_318_008_211;
const ASK_AGAIN_MS = 100;

/**
 * Asks for an advisory lock of the session until it is free. To wait within one statement would hold a snapshot open, and
 * an index that another process builds concurrently waits for all of those.
 * @param options.isShared beside others that share it. @param options.onWait called once if the lock is not free
 */
export async function takeMigrationsLock(
  client: pg.Client,
  key: number,
  { isShared = false, onWait = () => {} }: { isShared?: boolean; onWait?: () => void } = {},
): Promise<void> {
  const take = `SELECT pg_try_advisory_lock${isShared ? '_shared' : ''}($1) AS is_ours`;
  for (let tries = 1; ; tries += 1) {
    const { rows } = await client.query<{ is_ours: boolean }>(take, [key]);
    if (rows[0]?.is_ours) return;
    if (tries === 1) onWait();
    await sleep(ASK_AGAIN_MS);
  }
}
