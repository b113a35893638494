import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import { changeShop } from './change-shop';

/** Withdraws an invitation into a shop; one that is not open stays as it is. @throws NotAllowedError as `changeShop` */
export const withdrawInvitation = (actor: Actor, shopId: string, invitationId: string) =>
  changeShop(actor, shopId, async (tx): Promise<'changed'> => {
    const { count } = await tx.invitation.updateMany({
      where: { id: invitationId, shopId, usedAt: null, withdrawnAt: null },
      data: { withdrawnAt: new Date() },
    });
    if (count === 1)
      await recordAction(tx, actor, {
        action: 'shop.withdraw_invitation',
        subject: { kind: 'shop', id: shopId },
        before: { invitation: invitationId },
        after: null,
      });
    return 'changed';
  });
