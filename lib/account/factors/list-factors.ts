import 'server-only';
import type { Factors } from '@/lib/contract/shapes/factor';
import { db } from '@/lib/db/client';
import { mustConfirm } from '../must-confirm';
import type { CurrentUser } from '../types';
import { MAX_PASSKEYS } from './describe-passkeys';

/** Lists the second factors of a session's account. */
export async function listFactors(user: Pick<CurrentUser, 'userId' | 'session'>): Promise<Factors> {
  const { userId } = user;
  const [totp, passkeys, recoveryCodesLeft] = await Promise.all([
    db().totpFactor.findUnique({ where: { userId }, select: { confirmedAt: true } }),
    db().passkey.findMany({
      where: { userId },
      select: { id: true, name: true, createdAt: true, lastUsedAt: true },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: MAX_PASSKEYS,
    }),
    db().recoveryCode.count({ where: { userId } }),
  ]);
  return {
    totp: totp?.confirmedAt ? { addedAt: totp.confirmedAt.getTime() } : null,
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      passkeyId: id,
      name,
      addedAt: createdAt.getTime(),
      lastUsedAt: lastUsedAt?.getTime() ?? null,
    })),
    recoveryCodesLeft,
    mustConfirm: mustConfirm(user),
  };
}
