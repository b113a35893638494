import 'server-only';
import { type Db, db } from '@/lib/db/client';
import { type AlertView, toView } from './types';

/** Returns the alert with this id; null if there is none. @param id decimal, from `AlertView` */
export async function findAlert(id: string, client: Db = db()): Promise<AlertView | null> {
  if (!/^\d{1,18}$/.test(id)) return null;
  const row = await client.alert.findUnique({ where: { id: BigInt(id) } });
  return row && toView(row);
}

/**
 * Records, with a note, that a person has taken care of a fired alert. The first acknowledgement counts.
 * @param id decimal, from `AlertView`. @param by user id @returns whether this was the first.
 */
export async function acknowledgeAlert(
  tx: Db,
  id: string,
  by: string,
  note: string | undefined,
): Promise<boolean> {
  const { count } = await tx.alert.updateMany({
    where: { id: BigInt(id), acknowledgedAt: null, state: { not: 'pending' } },
    data: { acknowledgedAt: new Date(), acknowledgedBy: by, note: note || null },
  });
  return count === 1;
}
