import 'server-only';
import type { ShopView } from '@/lib/contract/shapes/team';
import { may } from '@/lib/contract/words/roles';
import { allows } from '@/lib/contract/words/shop';
import { db } from '@/lib/db/client';
import { toStanding } from '@/lib/shop/find-standing';
import { MAX_MEMBERS } from '@/lib/shop/join-shop';
import { type Actor, maySee } from '../actor';

/** Returns a shop with its members, and for who may change them its open invitations; null if it is another's. */
export async function readShop(actor: Actor, shopId: string): Promise<ShopView | null> {
  if (!(await maySee(actor, shopId))) return null;
  const row = await db().shop.findUnique({
    where: { id: shopId },
    include: {
      members: {
        include: { user: { select: { email: true, name: true } } },
        orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
        take: MAX_MEMBERS,
      },
    },
  });
  if (!row) return null;
  const own = row.members.find(({ userId }) => userId === actor.userId);
  const isOwner = actor.role === 'merchant' && own !== undefined && allows(toStanding(own), 'members');
  const mayChange = may(actor.role, 'manageUsers') || isOwner;
  return {
    shopId,
    name: row.name,
    version: row.version,
    mayChange,
    members: row.members.map(({ userId, user, createdAt, role, topics }) => ({
      userId,
      ...user,
      ...toStanding({ role, topics }),
      since: createdAt.getTime(),
    })),
    invitations: mayChange ? await openInvitations(shopId) : [],
  };
}

/** The most invitations of a shop that are open at a time. */
export const MAX_OPEN = 20;

async function openInvitations(shopId: string): Promise<ShopView['invitations']> {
  const rows = await db().invitation.findMany({
    where: { shopId, usedAt: null, withdrawnAt: null, expiresAt: { gt: new Date() } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: MAX_OPEN,
  });
  return rows.map(({ id, email, shopRole, topics, expiresAt }) => ({
    invitationId: id,
    email,
    ...toStanding({ role: shopRole ?? 'viewer', topics }),
    expiresAt: expiresAt.getTime(),
  }));
}
