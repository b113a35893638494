import 'server-only';
import { type Db, db } from '@/lib/db/client';
import type { ReservationChange } from './types';

const PAGE = 2_000;

type Row = ReservationChange & { saleId: string };

/** Yields the last change of every user of a sale that Postgres has, in pages. */
export async function* streamReservations(tx: Db, saleId: string): AsyncGenerator<ReservationChange[]> {
  for (let after = ''; ; ) {
    const rows = await tx.reservation.findMany({
      where: { saleId, userId: { gt: after } },
      orderBy: { userId: 'asc' },
      take: PAGE,
    });
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(toChange);
    if (rows.length < PAGE) return;
    after = last.userId;
  }
}

/** Returns changes made while Redis was down that it has not been told yet, at most `limit`, of any sale. */
export async function findUntold(limit: number): Promise<Row[]> {
  const rows = await db().reservation.findMany({ where: { inRedis: false }, take: limit });
  return rows.map((row) => ({ ...toChange(row), saleId: row.saleId }));
}

/** Marks these changes as known to Redis; skips those that have changed again meanwhile. */
export async function markTold(changes: readonly Row[]): Promise<void> {
  await db().$executeRaw`
    UPDATE reservations r SET in_redis = true
    FROM unnest(${changes.map(({ saleId }) => saleId)}::text[],
                ${changes.map(({ userId }) => userId)}::text[],
                ${changes.map(({ reservedAt, cancelledAt }) => cancelledAt ?? reservedAt)}::double precision[])
           AS told (sale_id, user_id, changed_at)
    WHERE r.sale_id = told.sale_id AND r.user_id = told.user_id AND NOT r.in_redis
      AND coalesce(r.cancelled_at, r.reserved_at) = to_timestamp(told.changed_at / 1000.0)::timestamptz(3)`;
}

/** Turns a database row into a change. */
export const toChange = (row: {
  userId: string;
  reservedAt: Date;
  cancelledAt: Date | null;
}): ReservationChange => ({
  userId: row.userId,
  reservedAt: row.reservedAt.getTime(),
  cancelledAt: row.cancelledAt?.getTime() ?? null,
});
