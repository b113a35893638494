import 'server-only';
import { db } from '@/lib/db/client';
import { log } from '@/lib/http/log';
import { hashRecoveryCode } from './recovery-codes';
import { openSecret } from './seal-secret';
import { isTotpCode, totpStep } from './totp';
import { typedCode } from './typed-code';

/** The kind of code that was right. */
export type SpentCode = 'totp' | 'recovery';

/**
 * Checks a one-time code or recovery code of an account, and uses it up: of two requests with one code, one succeeds.
 * Callers must limit the tries.
 * @param typed as its owner typed it
 * @returns null if the code is wrong or was used
 */
export async function spendCode(userId: string, typed: string): Promise<SpentCode | null> {
  const code = typedCode(typed);
  if (isTotpCode(code)) return (await spendTotp(userId, code)) ? 'totp' : null;
  const spent = await db().recoveryCode.deleteMany({ where: { userId, codeHash: hashRecoveryCode(code) } });
  return spent.count === 1 ? 'recovery' : null;
}

/** A code also voids those of earlier steps. */
async function spendTotp(userId: string, code: string): Promise<boolean> {
  const factor = await db().totpFactor.findUnique({ where: { userId, confirmedAt: { not: null } } });
  if (!factor) return false;
  const secret = openSecret(userId, factor);
  if (secret === null) {
    log.error({ userId }, 'a secret of one-time codes was sealed by a key that ENTRY_SECRET no longer has');
    return false;
  }
  const step = totpStep(secret, code);
  if (step === null) return false;
  const spent = await db().totpFactor.updateMany({
    // Another key may have sealed the same secret again meanwhile.
    where: { userId, lastStep: { lt: step }, confirmedAt: factor.confirmedAt },
    data: { lastStep: step },
  });
  return spent.count === 1;
}
