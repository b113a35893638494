import 'server-only';
import { MAX_PASSKEYS } from '@/lib/account/factors/describe-passkeys';
import { verifyMadePasskey } from '@/lib/account/factors/verify-passkey';
import { lockOwner } from '@/lib/account/lock-owner';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import type { CurrentUser } from '@/lib/account/types';
import type { PasskeyAddition } from '@/lib/contract/shapes/passkey';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { newId } from '@/lib/ids/new-id';
import { tellOwner } from '@/lib/notify/tell-owner';
import { additionOf } from './begin-passkey';
import type { Caller } from './caller';
import { noteNewFactor } from './note-new-factor';
import { readChallenge } from './passkey-cookie';

type AddResult =
  | { status: 'added'; passkeyId: string; recoveryCodes: string[] }
  /** It was not made for this session, not for this shop, or too long ago; or its challenge has been used. */
  | { status: 'wrong' }
  /** An account has this passkey already. */
  | { status: 'exists' }
  | { status: 'full' }
  /** The session ended in the meantime. */
  | { status: 'signed_out' };

/**
 * Adds the passkey that a browser made for `beginPasskey` to its account. All other sessions end.
 * @returns the recovery codes, for the owner to see once, if it is the account's first second factor; else none
 * @throws connection errors
 */
export async function addPasskey(
  user: CurrentUser,
  { name, passkey }: PasskeyAddition,
  { headers }: Pick<Caller, 'headers'>,
): Promise<AddResult> {
  const { userId } = user;
  const { sessionVersion } = await db().user.findUniqueOrThrow({ where: { id: userId } });
  const challenge = readChallenge(headers.get('cookie'), 'add', additionOf(user, sessionVersion));
  const made = challenge && (await verifyMadePasskey(passkey, challenge.challenge));
  if (!made) return { status: 'wrong' };
  const result = await transaction(async (tx): Promise<AddResult> => {
    const owner = await lockOwner(tx, user);
    if (!owner) return { status: 'signed_out' };
    // Another passkey was added by the same challenge.
    if (owner.sessionVersion !== sessionVersion) return { status: 'wrong' };
    if ((await tx.passkey.count({ where: { userId } })) >= MAX_PASSKEYS) return { status: 'full' };
    const passkeyId = newId('pk');
    const { transports } = passkey.response;
    const added = await tx.passkey.createMany({
      data: { ...made, id: passkeyId, userId, name, transports, lastChallengeAt: challenge.issuedAt },
      skipDuplicates: true,
    });
    if (added.count !== 1) return { status: 'exists' };
    return { status: 'added', passkeyId, recoveryCodes: await noteNewFactor(tx, user, owner) };
  });
  if (result.status !== 'added') return result;
  await announceEndedSessions();
  void tellOwner('passkeyAdded', user);
  return result;
}
