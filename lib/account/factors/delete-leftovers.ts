import 'server-only';
import type { Db } from '@/lib/db/client';
import { deleteFactors } from './delete-factors';

/**
 * Deletes an account's recovery codes, and an app that was never confirmed, if it has no second factor any more.
 * @returns whether that is so; then the caller clears `secondFactorAt` of the account
 */
export async function deleteLeftovers(tx: Db, userId: string): Promise<boolean> {
  const apps = await tx.totpFactor.count({ where: { userId, confirmedAt: { not: null } } });
  const passkeys = await tx.passkey.count({ where: { userId } });
  if (apps + passkeys > 0) return false;
  await deleteFactors(tx, userId);
  return true;
}
