import 'server-only';
import type { Db } from '@/lib/db/client';
import { hashRecoveryCode } from './recovery-codes';
import { openSecret } from './seal-secret';
import { totpStep } from './totp';

/**
 * Checks a one-time code or recovery code of an account, and uses it up: of two who bring the same code at once, one
 * succeeds. Callers must limit the tries.
 * @returns which of the two it was; null if it is neither, or was used
 */
export async function spendCode(
  tx: Db,
  userId: string,
  code: string,
  nowMs = Date.now(),
): Promise<'totp' | 'recovery' | null> {
  const given = code.trim();
  const factor = await tx.totpFactor.findUnique({ where: { userId, confirmedAt: { not: null } } });
  const secret = factor && openSecret(userId, factor);
  const step = secret ? totpStep(secret, given.replace(/\s/g, ''), nowMs) : null;
  if (factor && step !== null) {
    const spent = await tx.totpFactor.updateMany({
      where: { userId, lastStep: { lt: step }, sealedSecret: factor.sealedSecret },
      data: { lastStep: step },
    });
    return spent.count === 1 ? 'totp' : null;
  }
  const spent = await tx.recoveryCode.deleteMany({ where: { userId, codeHash: hashRecoveryCode(given) } });
  return spent.count === 1 ? 'recovery' : null;
}
