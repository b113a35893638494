import 'server-only';
import { createHash } from 'node:crypto';
import type { StaffRole } from '@/lib/contract/words/roles';
import type { Standing } from '@/lib/contract/words/shop';
import { db } from '@/lib/db/client';
import { toStanding } from '@/lib/shop/find-standing';

/** An invitation that can still be accepted. Times in epoch ms. */
export type OpenInvitation = {
  email: string;
  role: StaffRole;
  expiresAt: number;
  /** True: the account exists, will be changed, and its password is asked for. False: an account is made. */
  hasAccount: boolean;
  /** The shop into which it leads. */
  shop: ({ shopId: string; name: string } & Standing) | null;
};

/** Computes the hash that the database stores of a link's token. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * Computes the same for an invitation into a shop. In another way, because the release before would take such a one for
 * an invitation into the admin area alone, if it found it.
 */
export const hashShopToken = (token: string): string => hashToken(`shop ${token}`);

/** Tells whether an account of this role can accept it: nobody who sees all shops becomes a member of one. */
export const mayTake = (role: string, shopId: string | null): boolean =>
  shopId === null ? role !== 'admin' : role === 'shopper' || role === 'merchant';

/**
 * Returns what a link invites to. Null if it is not ours, was used, has run out or was replaced by another; or if the
 * account has been banned or made admin since, or works for all shops.
 */
export async function findInvitation(token: string): Promise<OpenInvitation | null> {
  const open = { usedAt: null, withdrawnAt: null, expiresAt: { gt: new Date() } };
  const row = await db().invitation.findFirst({
    where: { tokenHash: { in: [hashToken(token), hashShopToken(token)] }, ...open },
    include: { shop: { select: { name: true } } },
  });
  if (!row) return null;
  const user = await db().user.findUnique({
    where: { email: row.email },
    select: { role: true, bannedAt: true },
  });
  if (user && (user.bannedAt !== null || !mayTake(user.role, row.shopId))) return null;
  const { email, role, expiresAt, shopId, shopRole, topics } = row;
  return {
    email,
    role: role as StaffRole,
    expiresAt: expiresAt.getTime(),
    hasAccount: user !== null,
    shop:
      shopId !== null && shopRole !== null
        ? { shopId, name: row.shop?.name ?? '', ...toStanding({ role: shopRole, topics }) }
        : null,
  };
}
