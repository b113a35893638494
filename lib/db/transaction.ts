import 'server-only';
import { type Db, db, TRANSACTION_MS } from './client';

/**
 * Runs `work` in one interactive transaction (read committed); an error that it throws rolls back.
 * @param timeoutMs longest duration of the transaction; default 15 s.
 * @throws an error that `isOutage` recognises if no connection becomes free in time.
 */
export function transaction<T>(work: (tx: Db) => Promise<T>, timeoutMs = TRANSACTION_MS): Promise<T> {
  return db().$transaction(work, { timeout: timeoutMs });
}
