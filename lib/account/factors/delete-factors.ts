import 'server-only';
import type { Db } from '@/lib/db/client';

/**
 * Deletes an account's app, passkeys and recovery codes. The caller notes in the account that it has no second factor any
 * more.
 */
export async function deleteFactors(tx: Db, userId: string): Promise<void> {
  await tx.totpFactor.deleteMany({ where: { userId } });
  await tx.passkey.deleteMany({ where: { userId } });
  await tx.recoveryCode.deleteMany({ where: { userId } });
}

/** Says whether an account has a factor with which it can sign in: recovery codes alone are none. */
export async function hasFactor(tx: Db, userId: string): Promise<boolean> {
  const [apps, passkeys] = [
    await tx.totpFactor.count({ where: { userId, confirmedAt: { not: null } } }),
    await tx.passkey.count({ where: { userId } }),
  ];
  return apps + passkeys > 0;
}
