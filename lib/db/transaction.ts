import 'server-only';
import { type Db, db } from './client';

/** Longer than any lock is held in sound operation: even a hot sale row moves on within milliseconds. */
const TIMEOUT_MS = 15_000;

/**
 * Runs `work` in one interactive transaction (read committed); what it throws rolls back.
 * @param timeoutMs longest duration of the transaction; default 15 s.
 * @throws what `isOutage` recognises when no connection becomes free in time.
 */
export function transaction<T>(work: (tx: Db) => Promise<T>, timeoutMs = TIMEOUT_MS): Promise<T> {
  return db().$transaction(work, { timeout: timeoutMs });
}
