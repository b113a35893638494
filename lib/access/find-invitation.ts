import 'server-only';
import { createHash } from 'node:crypto';
import type { StaffRole } from '@/lib/contract/words/roles';
import { db } from '@/lib/db/client';

/** An invitation that can still be accepted. Times in epoch ms. */
export type OpenInvitation = {
  email: string;
  role: StaffRole;
  expiresAt: number;
  /** True: the account exists, will be changed, and its password is asked for. False: an account is made. */
  hasAccount: boolean;
};

/** Computes the hash that the database stores of a link's token. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * Returns what a link invites to. Null if it is not ours, was used, has run out or was replaced by another; or if the
 * account has been banned or made admin since.
 */
export async function findInvitation(token: string): Promise<OpenInvitation | null> {
  const open = { usedAt: null, withdrawnAt: null, expiresAt: { gt: new Date() } };
  const row = await db().invitation.findFirst({ where: { tokenHash: hashToken(token), ...open } });
  if (!row) return null;
  const user = await db().user.findUnique({
    where: { email: row.email },
    select: { role: true, bannedAt: true },
  });
  if (user && (user.bannedAt !== null || user.role === 'admin')) return null;
  const { email, role, expiresAt } = row;
  return { email, role: role as StaffRole, expiresAt: expiresAt.getTime(), hasAccount: user !== null };
}
