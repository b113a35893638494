import 'server-only';
import { recordAction } from '@/lib/audit/record-action';
import { transaction } from '@/lib/db/transaction';
import { lockShop } from '@/lib/shop/lock-shop';
import type { Actor } from '../actor';
import { mayLead } from './may-lead';

/** Withdraws an invitation into a shop; one that is not open stays as it is. @throws NotAllowedError as `mayLead` */
export const withdrawInvitation = (actor: Actor, shopId: string, invitationId: string) =>
  transaction(async (tx): Promise<'changed' | 'not_found'> => {
    if (!(await lockShop(tx, shopId)) || !(await mayLead(tx, actor, shopId))) return 'not_found';
    const { count } = await tx.invitation.updateMany({
      where: { id: invitationId, shopId, usedAt: null, withdrawnAt: null },
      data: { withdrawnAt: new Date() },
    });
    if (count === 0) return 'changed';
    await recordAction(tx, actor, {
      action: 'shop.withdraw_invitation',
      subject: { kind: 'shop', id: shopId },
      before: { invitation: invitationId },
      after: null,
    });
    return 'changed';
  });
