import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import type { ReservationChange } from './types';

/** A change that waits in the stream for Postgres. */
type WaitingChange = ReservationChange & { entryId: string };

/**
 * Returns the oldest changes of a sale that have not reached Postgres yet, at most `limit`.
 * @param after an entry id: only those that come after it. @throws connection errors.
 */
export async function readChanges(saleId: string, limit: number, after?: string): Promise<WaitingChange[]> {
  const from = after === undefined ? '-' : `(${after}`;
  const entries = await stockRedis().xrange(keys.reservations(saleId), from, '+', 'COUNT', limit);
  return entries.map(([entryId, fields]) => {
    const {
      userId = '',
      reservedAt,
      cancelledAt,
    }: Record<string, string> = Object.fromEntries(
      fields.flatMap((name, at) => (at % 2 === 0 ? [[name, fields[at + 1] ?? '']] : [])),
    );
    return {
      entryId,
      userId,
      reservedAt: Number(reservedAt),
      cancelledAt: cancelledAt ? Number(cancelledAt) : null,
    };
  });
}

/** Removes changes that Postgres already has. Idempotent. @throws connection errors. */
export async function dropChanges(saleId: string, changes: readonly WaitingChange[]): Promise<void> {
  if (changes.length === 0) return;
  await stockRedis().xdel(keys.reservations(saleId), ...changes.map(({ entryId }) => entryId));
}
