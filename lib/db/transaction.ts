import 'server-only';
import { limitMs } from '@/lib/time-limits';
import { type Db, db } from './client';

/**
 * Runs `work` in one interactive transaction (read committed); an error that it throws rolls back.
 * @param timeoutMs longest duration of the transaction; default 15 s, stretched by `SECKILL_PATIENCE`.
 * @throws an error that `isOutage` recognises if no connection becomes free in time.
 */
export function transaction<T>(work: (tx: Db) => Promise<T>, timeoutMs = limitMs('transaction')): Promise<T> {
  return db().$transaction(work, { timeout: timeoutMs });
}
