import 'server-only';
import { createHash } from 'node:crypto';
import { toStanding } from '@/lib/actor/actor';
import type { StaffRole } from '@/lib/contract/words/roles';
import type { Standing } from '@/lib/contract/words/shop';
import { db } from '@/lib/db/client';

/** An invitation that can still be accepted. Times in epoch ms. */
export type OpenInvitation = {
  email: string;
  role: StaffRole;
  expiresAt: number;
  /** True: the account exists, will be changed, and its password is asked for. False: an account is made. */
  hasAccount: boolean;
  /** The shop into which it leads; null: into the admin area alone. */
  shop: ({ shopId: string; name: string; invitedBy: string } & Standing) | null;
};

/** Computes the hash that the database stores of a link's token. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * Computes the hash for an invitation into a shop. It differs, because the release before would take what it finds for an
 * invitation into the admin area alone.
 */
export const hashShopToken = (token: string): string => hashToken(`shop ${token}`);

/** Tells whether an account of this role can accept it: staff who see all shops become members of none. */
export const mayTake = (role: string, { shop }: Pick<OpenInvitation, 'shop'>): boolean =>
  shop === null ? role !== 'admin' : role === 'shopper' || role === 'merchant';

/**
 * Returns what a link invites to. Null if it is not ours, was used, has run out or was replaced by another; or if the
 * account has been banned or made admin since, or sees all shops.
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
  const { email, role, expiresAt, invitedBy, shopId, shopRole, topics } = row;
  const shop =
    shopId === null || shopRole === null
      ? null
      : { shopId, name: row.shop?.name ?? '', invitedBy, ...toStanding({ role: shopRole, topics }) };
  if (user && (user.bannedAt !== null || !mayTake(user.role, { shop }))) return null;
  return {
    email,
    role: role as StaffRole,
    expiresAt: expiresAt.getTime(),
    hasAccount: user !== null,
    shop,
  };
}
