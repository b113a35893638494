import 'server-only';
import { type Db, db } from './client';

/** Longer than any lock is held when all works well: even a hot sale row moves on within milliseconds. */
const TIMEOUT_MS = 15_000;

/**
 * Runs `work` in one interactive transaction (read committed); an error that it throws rolls back.
 * @param timeoutMs longest duration of the transaction; default 15 s.
 * @throws an error that `isOutage` recognises if no connection becomes free in time.
 */
export function transaction<T>(work: (tx: Db) => Promise<T>, timeoutMs = TIMEOUT_MS): Promise<T> {
  return db().$transaction(work, { timeout: timeoutMs });
}
