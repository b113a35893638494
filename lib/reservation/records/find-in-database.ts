import 'server-only';
import { db } from '@/lib/db/client';
import { toChange } from './find-changes';
import type { ReservationChange } from './types';

/** Returns the last change of a user's reservation in Postgres; null if there is none. @throws connection errors. */
export async function findInDatabase(saleId: string, userId: string): Promise<ReservationChange | null> {
  const row = await db().reservation.findUnique({ where: { saleId_userId: { saleId, userId } } });
  return row && toChange(row);
}
