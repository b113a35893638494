import 'server-only';
import type { Factors } from '@/lib/contract/shapes/factor';
import { db } from '@/lib/db/client';

/** Lists the second factors of an account. */
export async function listFactors(userId: string): Promise<Factors> {
  const [totp, recoveryCodesLeft] = await Promise.all([
    db().totpFactor.findUnique({ where: { userId }, select: { confirmedAt: true } }),
    db().recoveryCode.count({ where: { userId } }),
  ]);
  return { totp: totp?.confirmedAt ? { addedAt: totp.confirmedAt.getTime() } : null, recoveryCodesLeft };
}
