import 'server-only';
import { z } from 'zod';
import { db } from '@/lib/db/client';
import { readVerification } from './verification-token';

export const verifyEmailSchema = z.object({ token: z.string().max(300) });

/**
 * Notes that mail reaches an account at its address. The same link again finds it done.
 * @param token of the link in the mail
 * @returns false if the token is wrong, has run out, or is for an address the account no longer has.
 */
export async function verifyEmail(token: string): Promise<boolean> {
  const claimed = readVerification(token);
  if (!claimed) return false;
  const { userId, isFor } = claimed;
  const user = await db().user.findUnique({ where: { id: userId }, select: { email: true } });
  if (!user || !isFor(user.email)) return false;
  await db().user.updateMany({
    where: { id: userId, email: user.email, emailVerifiedAt: null },
    data: { emailVerifiedAt: new Date() },
  });
  return true;
}
