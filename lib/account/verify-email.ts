import 'server-only';
import { db } from '@/lib/db/client';
import { isDuplicate } from '@/lib/db/sql-state';
import { readVerification } from './verification-token';

export type VerifyEmailResult =
  | 'verified'
  /** The token is wrong, has run out, or is for an address the account no longer has. */
  | 'invalid'
  /** Another account with the same inbox is already verified; an inbox verifies one account. */
  | 'inbox_taken';

/**
 * Records that mail reaches an account at its address. The same link again finds it already done.
 * @param token of the link in the mail
 */
export async function verifyEmail(token: string): Promise<VerifyEmailResult> {
  const claimed = readVerification(token);
  if (!claimed) return 'invalid';
  const { userId, isFor } = claimed;
  const user = await db().user.findUnique({ where: { id: userId }, select: { email: true } });
  if (!user || !isFor(user.email)) return 'invalid';
  try {
    await db().user.updateMany({
      where: { id: userId, email: user.email, emailVerifiedAt: null },
      data: { emailVerifiedAt: new Date(), mailRefusedAt: null },
    });
    return 'verified';
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return 'inbox_taken';
  }
}
