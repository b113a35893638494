import 'server-only';
import type { PasskeyAnswer } from '@/lib/contract/shapes/passkey';
import { db } from '@/lib/db/client';
import type { User } from '@/prisma/generated/client';
import { verifyAnswer } from './verify-passkey';

/** A challenge that a browser got for a passkey. */
export type Challenge = { challenge: string; issuedAt: Date };

export type SpentPasskey =
  | { status: 'right'; user: User }
  /** `userId`: the account that has this passkey, for the log only; null: none has. */
  | { status: 'wrong'; userId: string | null }
  /** The challenge was answered before, or the passkey has signed less often than before: then there is a copy of it. */
  | { status: 'stale'; userId: string };

/**
 * Checks a passkey's answer to a challenge, and uses the challenge up: of two requests with one answer, one succeeds. Older
 * challenges are void for this passkey, too.
 * @param owner the account whose passkey it must be; null: any, if the answer names its account
 */
export async function spendPasskey(
  answer: PasskeyAnswer,
  { challenge, issuedAt }: Challenge,
  owner: string | null,
): Promise<SpentPasskey> {
  const row = await db().passkey.findUnique({ where: { credentialId: answer.id }, include: { user: true } });
  if (!row) return { status: 'wrong', userId: null };
  const { id, userId, user } = row;
  const { userHandle } = answer.response;
  const named = userHandle === undefined ? owner : readHandle(userHandle);
  if (named !== userId || (owner !== null && owner !== userId)) return { status: 'wrong', userId };
  const counter = await verifyAnswer(answer, challenge, row);
  if (counter === null) return { status: 'wrong', userId };
  const spent = await db().passkey.updateMany({
    where: {
      id,
      lastChallengeAt: { lt: issuedAt },
      counter: counter === 0 ? 0 : { lt: counter },
    },
    data: { counter, lastChallengeAt: issuedAt, lastUsedAt: new Date() },
  });
  return spent.count === 1 ? { status: 'right', user } : { status: 'stale', userId };
}

/** Returns an account's id as authenticators keep it beside the passkey. */
export const handleOf = (userId: string): string => Buffer.from(userId).toString('base64url');

const readHandle = (handle: string): string => Buffer.from(handle, 'base64url').toString();
