import 'server-only';
import { lockUser } from '@/lib/account/lock-user';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { updateUser } from '@/lib/account/update-user';
import { recordAction } from '@/lib/audit/record-action';
import type { Db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { hasOtherOwner } from '@/lib/shop/has-other-owner';
import { lockShop } from '@/lib/shop/lock-shop';
import { withdrawInvitations } from '@/lib/shop/withdraw-invitations';
import { type Actor, withoutSession } from '../actor';
import type { MemberResult } from './edit-member';
import { mayLead } from './may-lead';

/**
 * Takes a person out of a shop; oneself: leaves it. Changes that they are making just now are finished first; the next ones
 * find no shop. Who is in no shop any more is a shopper again and is signed out: an owner can let people into the own shop
 * and not into the admin area.
 * @throws NotAllowedError as `mayLead`
 */
export async function removeMember(actor: Actor, shopId: string, userId: string): Promise<MemberResult> {
  const result = await transaction(async (tx): Promise<MemberResult> => {
    const locked = await lockUser(tx, userId);
    if (!(await lockShop(tx, shopId))) return 'not_found';
    const where = { shopId_userId: { shopId, userId } };
    const row = await tx.shopMember.findUnique({ where });
    const leaves = row !== null && userId === actor.userId;
    if (!leaves && !(await mayLead(tx, actor, shopId))) return 'not_found';
    if (!row) return 'no_member';
    if (row.role === 'owner' && !(await hasOtherOwner(tx, shopId, userId))) return 'last_owner';
    await tx.shopMember.delete({ where });
    await withdrawInvitations(tx, shopId, userId);
    if (locked?.user.role === 'merchant') await leaveAdmin(tx, userId);
    await recordAction(tx, leaves ? withoutSession(actor) : actor, {
      action: leaves ? 'shop.leave' : 'shop.remove_member',
      subject: { kind: 'shop', id: shopId },
      before: { member: userId, shopRole: row.role, topics: row.topics },
      after: { member: userId, shopRole: null, topics: null },
    });
    return 'changed';
  });
  await announceEndedSessions();
  return result;
}

async function leaveAdmin(tx: Db, userId: string): Promise<void> {
  if ((await tx.shopMember.count({ where: { userId } })) > 0) return;
  await updateUser(tx, userId, { role: 'shopper', endsSessions: true });
}
