import 'server-only';
import { openSecret } from '@/lib/account/factors/seal-secret';
import { totpStep } from '@/lib/account/factors/totp';
import { typedCode } from '@/lib/account/factors/typed-code';
import { lockOwner } from '@/lib/account/lock-owner';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import type { CurrentUser } from '@/lib/account/types';
import type { Db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { tellOwner } from '@/lib/notify/tell-owner';
import { settleTry, unlessThrown } from '@/lib/tries/claim-try';
import { claimCode } from './check-factor';
import { noteNewFactor } from './note-new-factor';

/** The secret that `beginTotp` made is good for this long. */
const BEGUN_FOR_MS = 3_600_000;

type ConfirmResult =
  | { status: 'confirmed'; recoveryCodes: string[] }
  /** The code is not of the secret, or this session has begun nothing within the last hour. */
  | { status: 'wrong' }
  /** The session ended in the meantime. */
  | { status: 'signed_out' }
  | { status: 'limited'; waitMs: number };

/**
 * Makes the app that `beginTotp` began a second factor of the account, once its owner shows a code of it. All other
 * sessions end.
 * @returns the recovery codes, for the owner to see once; none if the account has some already
 * @throws connection errors
 */
export async function confirmTotp(user: CurrentUser, code: string): Promise<ConfirmResult> {
  const claimed = await claimCode(user.userId, { from: 'session', id: user.session.id });
  if (claimed.status === 'wait') return { status: 'limited', waitMs: claimed.waitMs };
  const { claim } = claimed;
  const result = await unlessThrown(
    claim,
    transaction((tx) => confirm(tx, user, code)),
  );
  await settleTry(claim, result.status === 'wrong' ? 'failed' : 'succeeded');
  if (result.status !== 'confirmed') return result;
  await announceEndedSessions();
  void tellOwner('factorAdded', user);
  return result;
}

async function confirm(tx: Db, user: CurrentUser, code: string): Promise<ConfirmResult> {
  const { userId, session } = user;
  const owner = await lockOwner(tx, user);
  if (!owner) return { status: 'signed_out' };
  const createdAt = { gt: new Date(Date.now() - BEGUN_FOR_MS) };
  const begun = await tx.totpFactor.findUnique({
    where: { userId, confirmedAt: null, sessionId: session.id, createdAt },
  });
  const secret = begun && openSecret(userId, begun);
  const step = secret && totpStep(secret, typedCode(code));
  if (!begun || !step) return { status: 'wrong' };
  const now = new Date();
  const confirmed = await tx.totpFactor.updateMany({
    // A later secret may have taken its place.
    where: { userId, confirmedAt: null, sealedSecret: begun.sealedSecret },
    data: { confirmedAt: now, lastStep: step },
  });
  if (confirmed.count !== 1) return { status: 'wrong' };
  return { status: 'confirmed', recoveryCodes: await noteNewFactor(tx, user, owner) };
}
