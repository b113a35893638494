import 'server-only';
import type { PasskeyAnswer } from '@/lib/contract/shapes/passkey';
import type { Db } from '@/lib/db/client';
import type { User } from '@/prisma/generated/client';
import { verifyAnswer } from './verify-passkey';

export type SpendResult =
  | { status: 'right'; user: User }
  /** `userId`: whose passkey it says it is; null: nobody's. */
  | { status: 'wrong'; userId: string | null }
  /** The passkey has signed less often than before: there is a copy of it. Or the challenge was answered before. */
  | { status: 'stale'; userId: string };

/**
 * Checks what a passkey answers to a challenge, and uses the challenge up: of two who bring the same answer at once, one
 * succeeds. No older challenge is good for this passkey any more.
 * @param userId whose passkey it must be; null: whosever it is, if the answer names its account
 */
export async function spendPasskey(
  tx: Db,
  userId: string | null,
  answer: PasskeyAnswer,
  { challenge, issuedAt }: { challenge: string; issuedAt: Date },
): Promise<SpendResult> {
  const row = await tx.passkey.findUnique({ where: { credentialId: answer.id }, include: { user: true } });
  if (!row) return { status: 'wrong', userId };
  const wrong = { status: 'wrong' as const, userId: userId ?? row.userId };
  const { userHandle } = answer.response;
  if (row.userId !== (userId ?? readHandle(userHandle))) return wrong;
  if (userHandle !== undefined && readHandle(userHandle) !== row.userId) return wrong;
  const counter = await verifyAnswer(answer, challenge, row);
  if (counter === null) return wrong;
  const spent = await tx.passkey.updateMany({
    where: {
      id: row.id,
      lastChallengeAt: { lt: issuedAt },
      ...(counter === 0 ? { counter: 0 } : { counter: { lt: counter } }),
    },
    data: { counter, lastChallengeAt: issuedAt, lastUsedAt: new Date() },
  });
  return spent.count === 1 ? { status: 'right', user: row.user } : { status: 'stale', userId: row.userId };
}

/** Writes an account's id as authenticators keep it beside the passkey. */
export const handleOf = (userId: string): string => Buffer.from(userId).toString('base64url');

const readHandle = (handle = ''): string => Buffer.from(handle, 'base64url').toString();
