import 'server-only';
import { MAX_PASSWORD_LENGTH } from '@/lib/contract/shapes/account';
import { db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';
import type { User } from '@/prisma/generated/client';
import { type HashingFor, isPassword } from './hash-password';

export type CredentialsResult =
  | { status: 'right'; user: User }
  /** `userId`: the account with this address, for the log only; no client may learn that it exists. */
  | { status: 'wrong'; userId: string | null };

/**
 * Checks whether an account has this address and password. Banned accounts can't sign in. Outside the demo, demo
 * accounts can't either: their passwords are public.
 * @param email in any case
 * @throws TooManyHashesError
 */
export async function checkCredentials(
  email: string,
  password: string,
  who?: HashingFor,
): Promise<CredentialsResult> {
  if (email.length > 254 || email.includes('\0') || password.length > MAX_PASSWORD_LENGTH)
    return { status: 'wrong', userId: null };
  const user = await db().user.findUnique({ where: { email: email.trim().toLowerCase() } });
  const matches = await isPassword(user?.passwordHash, password, who);
  if (!user || !matches || user.bannedAt !== null) return { status: 'wrong', userId: user?.id ?? null };
  if (user.isDemo && !env().isDemo) {
    log.warn({ userId: user.id }, 'a demo account was refused at sign-in: this is no demo');
    return { status: 'wrong', userId: user.id };
  }
  return { status: 'right', user };
}
