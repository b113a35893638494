import 'server-only';
import { z } from 'zod';
import { db } from '@/lib/db/client';
import { type AlertView, toView } from './types';

const MAX_NOTE_LENGTH = 500;

export const acknowledgeSchema = z.object({
  note: z.string().trim().max(MAX_NOTE_LENGTH).optional(),
});

/** The alert of this id; null if there is none. @param id decimal, from `AlertView` */
export async function findAlert(id: string): Promise<AlertView | null> {
  if (!/^\d{1,18}$/.test(id)) return null;
  const row = await db().alert.findUnique({ where: { id: BigInt(id) } });
  return row && toView(row);
}

/**
 * Says that somebody has seen to an alert, with a note. The first one counts; acknowledging again changes nothing.
 * @param by user id @returns the alert as it is now; null if there is none, or it has not fired.
 */
export async function acknowledgeAlert(
  id: string,
  by: string,
  note: string | undefined,
): Promise<AlertView | null> {
  if (!/^\d{1,18}$/.test(id)) return null;
  await db().alert.updateMany({
    where: { id: BigInt(id), acknowledgedAt: null, state: { not: 'pending' } },
    data: { acknowledgedAt: new Date(), acknowledgedBy: by, note: note || null },
  });
  const alert = await findAlert(id);
  return alert?.state === 'pending' ? null : alert;
}
