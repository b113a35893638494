import 'server-only';
import { type Actor, maySee, shopsOf, toStanding } from '@/lib/actor/actor';
import type { ShopView } from '@/lib/contract/shapes/team';
import { db } from '@/lib/db/client';
import { MAX_MEMBERS } from '@/lib/shop/records/join-shop';
import { toShipping } from '@/lib/shop/records/shipping';

/** The most open invitations of a shop. */
export const MAX_OPEN = 20;

/** Returns a shop with its members, and for those who may change them its open invitations; null if it is another's. */
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
  const led = await shopsOf(actor, 'members');
  const mayChange = led === null || led.includes(shopId);
  return {
    shopId,
    name: row.name,
    version: row.version,
    shipping: toShipping(row.shipping),
    mayChange,
    members: row.members.map(({ userId, user, createdAt, ...member }) => ({
      userId,
      ...user,
      ...toStanding(member),
      since: createdAt.getTime(),
    })),
    invitations: mayChange ? await openInvitations(shopId) : [],
  };
}

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
