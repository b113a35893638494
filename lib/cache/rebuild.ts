import 'server-only';
import { isOutage } from '@/lib/errors/is-outage';
import { withLock } from '@/lib/lock/with-lock';
import { putShared, readShared, type SharedKey } from './shared-level';

/** Renewed while the load takes longer. Short, because the others wait if the holder dies. */
const LOCK_TTL_MS = 3_000;
/**
 * Long enough to keep Postgres from being asked again for an invented id that passed the filter, short enough not to
 * be noticed.
 */
const MISSING_TTL_SEC = 5;

type Rebuilt<T> = { status: 'rebuilt'; value: T | null } | { status: 'elsewhere' };

/**
 * Loads a value and stores it for all processes; only one process does so at a time. A value loaded before a change
 * is not stored: the change has raised the fence.
 * @returns `elsewhere` when another process is rebuilding.
 * @throws what `load` throws.
 */
export async function rebuild<T>(
  at: SharedKey,
  load: () => Promise<T | null>,
  ttlSec: number,
): Promise<Rebuilt<T>> {
  let isAuthorityDown = false;
  const loadOnce = () =>
    load().catch((error: unknown) => {
      isAuthorityDown = true;
      throw error;
    });
  try {
    const result = await withLock(
      at.lock,
      { ttlMs: LOCK_TTL_MS, acquireTimeoutMs: 0 },
      async ({ fence }): Promise<T | null> => {
        // Another process may have finished between our read and the lock.
        const again = await readShared<T>(at);
        if (again.status === 'hit') return again.value;
        const value = await loadOnce();
        await store(at, value, fence, ttlSec);
        return value;
      },
    );
    return result.status === 'done' ? { status: 'rebuilt', value: result.value } : { status: 'elsewhere' };
  } catch (error) {
    // The Redis of the lock is gone: this process goes on alone.
    if (isAuthorityDown || !isOutage(error)) throw error;
    return { status: 'rebuilt', value: await load() };
  }
}

async function store<T>(at: SharedKey, value: T | null, fence: number, ttlSec: number): Promise<void> {
  try {
    await putShared(at, value, fence, value === null ? MISSING_TTL_SEC : ttlSec);
  } catch (error) {
    if (!isOutage(error)) throw error;
  }
}
