import 'server-only';
import { replaceRecoveryCodes } from '@/lib/account/factors/recovery-codes';
import { openSecret } from '@/lib/account/factors/seal-secret';
import { totpStep } from '@/lib/account/factors/totp';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import type { CurrentUser } from '@/lib/account/types';
import type { Db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { settleTry, unlessThrown } from '@/lib/tries/claim-try';
import type { Caller } from './caller';
import { lockOwner, markFactor, recordFactor, unlessEnded } from './change-factors';
import { claimCode, noteWrongFactor } from './check-factor';
import { mailFactorChanged } from './mail-factor-changed';

type ConfirmResult =
  | { status: 'confirmed'; recoveryCodes: string[] }
  /** The code is not that of the secret, or nothing was begun. */
  | { status: 'wrong' }
  /** The session ended in the meantime. */
  | { status: 'signed_out' }
  | { status: 'limited'; waitMs: number };

/**
 * Makes the app whose secret `beginTotp` made the account's second factor, once its owner shows a code of it. Every
 * other session ends: those began with the password alone.
 * @returns the recovery codes, to be shown once; none if the account has a passkey, and so has codes
 * @throws connection errors
 */
export async function confirmTotp(user: CurrentUser, code: string, caller: Caller): Promise<ConfirmResult> {
  const claimed = await claimCode(user.userId, { from: 'session' });
  if (claimed.status === 'wait') return { status: 'limited', waitMs: claimed.waitMs };
  const result = await unlessThrown(claimed.claim, unlessEnded(transaction((tx) => confirm(tx, user, code))));
  await settleTry(claimed.claim, result.status === 'wrong' ? 'failed' : 'succeeded');
  if (result.status === 'wrong') noteWrongFactor(user.userId, caller.address);
  if (result.status !== 'confirmed') return result;
  await announceEndedSessions();
  void mailFactorChanged({ ...user, id: user.userId }, 'factorAdded');
  return result;
}

async function confirm(tx: Db, user: CurrentUser, code: string): Promise<ConfirmResult> {
  const { userId } = user;
  const begun = await tx.totpFactor.findUnique({ where: { userId, confirmedAt: null } });
  const secret = begun && openSecret(userId, begun);
  const step = secret ? totpStep(secret, code.replace(/\s/g, '')) : null;
  if (!begun || step === null) return { status: 'wrong' };
  const now = new Date();
  const owner = await lockOwner(tx, user);
  if (!owner) return { status: 'signed_out' };
  await markFactor(tx, user, owner.secondFactorAt ?? now);
  const confirmed = await tx.totpFactor.updateMany({
    where: { userId, confirmedAt: null, sealedSecret: begun.sealedSecret },
    data: { confirmedAt: now, lastStep: step },
  });
  if (confirmed.count !== 1) throw new Error(`the factor of ${userId} changed while it was confirmed`);
  const recoveryCodes = owner.secondFactorAt ? [] : await replaceRecoveryCodes(tx, userId);
  await recordFactor(tx, user, 'user.add_factor', { kind: 'totp' });
  return { status: 'confirmed', recoveryCodes };
}
