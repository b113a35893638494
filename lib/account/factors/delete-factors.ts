import 'server-only';
import type { Db } from '@/lib/db/client';

/** Deletes an account's second factors and recovery codes. The caller clears `secondFactorAt` of the account. */
export async function deleteFactors(tx: Db, userId: string): Promise<void> {
  await tx.totpFactor.deleteMany({ where: { userId } });
  await tx.passkey.deleteMany({ where: { userId } });
  await tx.recoveryCode.deleteMany({ where: { userId } });
}
