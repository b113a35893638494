import 'server-only';
import { lockUserAndAdmins } from '@/lib/account/lock-user';
import { announceEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { updateUser } from '@/lib/account/update-user';
import { type Actor, mayManage, withoutSession } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import { transaction } from '@/lib/db/transaction';
import { lockShop } from '@/lib/shop/records/lock-shop';
import { shopsLedAlone } from '@/lib/shop/records/owners';
import { withdrawInvitations } from '@/lib/shop/records/withdraw-invitations';

type RemoveResult = 'changed' | 'not_found' | 'no_member' | 'last_owner';

/**
 * Removes a person from a shop; oneself: leaves it. Waits for a change that the member is making; the next one finds no
 * shop. A merchant without any shop becomes a shopper and is signed out: an owner lets people into the own shop, and not
 * into the admin area.
 * @throws NotAllowedError for members who are no owners
 */
export async function removeMember(actor: Actor, shopId: string, userId: string): Promise<RemoveResult> {
  const leaves = userId === actor.userId;
  const result = await transaction(async (tx): Promise<RemoveResult> => {
    const locked = await lockUserAndAdmins(tx, userId);
    await lockShop(tx, shopId);
    // Everybody may leave.
    if (!(await mayManage(actor, shopId, leaves ? 'see' : 'members', tx))) return 'not_found';
    const where = { shopId_userId: { shopId, userId } };
    const row = await tx.shopMember.findUnique({ where });
    if (!row) return 'no_member';
    if ((await shopsLedAlone(tx, userId)).includes(shopId)) return 'last_owner';
    await tx.shopMember.delete({ where });
    await withdrawInvitations(tx, shopId, userId);
    const isOut = (await tx.shopMember.count({ where: { userId } })) === 0;
    if (isOut && locked?.user.role === 'merchant')
      await updateUser(tx, userId, { role: 'shopper', endsSessions: true });
    // Leaving the last shop has ended the actor's own sessions.
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
