import 'server-only';
import { MAX_PASSKEYS } from '@/lib/account/factors/list-passkeys';
import { replaceRecoveryCodes } from '@/lib/account/factors/recovery-codes';
import { verifyMadePasskey } from '@/lib/account/factors/verify-passkey';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import type { CurrentUser } from '@/lib/account/types';
import type { MadePasskey } from '@/lib/contract/shapes/passkey';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { newId } from '@/lib/ids/new-id';
import { boundToSession } from './begin-passkey';
import type { Caller } from './caller';
import { lockOwner, markFactor, recordFactor, unlessEnded } from './change-factors';
import { mailFactorChanged } from './mail-factor-changed';
import { readChallenge } from './passkey-cookie';

type AddResult =
  | { status: 'added'; passkeyId: string; recoveryCodes: string[] }
  /** It was not made for this session and a moment ago, or not for this shop. */
  | { status: 'wrong' }
  /** It is somebody's already. */
  | { status: 'exists' }
  | { status: 'full' }
  /** The session ended in the meantime. */
  | { status: 'signed_out' };

/**
 * Adds the passkey that a browser made for `beginPasskey` to its account. Every other session ends, as with an app for
 * one-time codes.
 * @returns the recovery codes, to be shown once, if it is the first factor of the account; else none
 * @throws connection errors
 */
export async function addPasskey(
  user: CurrentUser,
  { name, passkey }: { name: string; passkey: MadePasskey },
  { headers }: Caller,
): Promise<AddResult> {
  const { userId, session } = user;
  const before = await db().user.findUniqueOrThrow({ where: { id: userId } });
  const challenge = readChallenge(headers.get('cookie'), 'add', boundToSession(session.id, before));
  const made = challenge && (await verifyMadePasskey(passkey, challenge.challenge));
  if (!challenge || !made) return { status: 'wrong' };
  const { transports = [] } = passkey.response;
  const result = await unlessEnded(
    transaction(async (tx): Promise<AddResult> => {
      const owner = await lockOwner(tx, user);
      if (!owner) return { status: 'signed_out' };
      // Another one was added at this moment: of two that were made for one challenge, one counts.
      if (owner.sessionVersion !== before.sessionVersion) return { status: 'wrong' };
      if ((await tx.passkey.count({ where: { userId } })) >= MAX_PASSKEYS) return { status: 'full' };
      const passkeyId = newId('pk');
      const added = await tx.passkey.createMany({
        data: { ...made, id: passkeyId, userId, name, transports, lastChallengeAt: challenge.issuedAt },
        skipDuplicates: true,
      });
      if (added.count !== 1) return { status: 'exists' };
      const recoveryCodes = owner.secondFactorAt ? [] : await replaceRecoveryCodes(tx, userId);
      await recordFactor(tx, user, 'user.add_factor', { kind: 'passkey', passkeyId });
      await markFactor(tx, user, owner.secondFactorAt ?? new Date());
      return { status: 'added', passkeyId, recoveryCodes };
    }),
  );
  if (result.status !== 'added') return result;
  await announceEndedSessions();
  void mailFactorChanged({ ...user, id: userId }, 'passkeyAdded');
  return result;
}
