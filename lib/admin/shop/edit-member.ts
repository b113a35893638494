import 'server-only';
import { changedFields } from '@/lib/audit/changed-fields';
import { recordAction } from '@/lib/audit/record-action';
import type { MemberEdit } from '@/lib/contract/shapes/team';
import { transaction } from '@/lib/db/transaction';
import { toStanding } from '@/lib/shop/find-standing';
import { hasOtherOwner } from '@/lib/shop/has-other-owner';
import { lockShop } from '@/lib/shop/lock-shop';
import { withdrawInvitations } from '@/lib/shop/withdraw-invitations';
import type { Actor } from '../actor';
import { mayLead } from './may-lead';

export type MemberResult = 'changed' | 'not_found' | 'no_member' | 'last_owner';

/**
 * Gives a member of a shop another role or other topics. Changes that they are making just now are finished first; the
 * next ones see it.
 * @throws NotAllowedError as `mayLead`
 */
export const editMember = (actor: Actor, shopId: string, userId: string, { role, topics }: MemberEdit) =>
  transaction(async (tx): Promise<MemberResult> => {
    if (!(await lockShop(tx, shopId)) || !(await mayLead(tx, actor, shopId))) return 'not_found';
    const where = { shopId_userId: { shopId, userId } };
    const row = await tx.shopMember.findUnique({ where });
    if (!row) return 'no_member';
    const loses = row.role === 'owner' && role !== 'owner';
    if (loses && !(await hasOtherOwner(tx, shopId, userId))) return 'last_owner';
    const before = { shopRole: row.role, topics: sorted(toStanding(row).topics) };
    const after = { shopRole: role, topics: sorted(topics) };
    const fields = changedFields(before, after);
    if (!fields) return 'changed';
    await tx.shopMember.update({ where, data: { role, topics: after.topics } });
    if (loses) await withdrawInvitations(tx, shopId, userId);
    await recordAction(tx, actor, {
      action: 'shop.edit_member',
      subject: { kind: 'shop', id: shopId },
      before: { member: userId, ...fields.before },
      after: { member: userId, ...fields.after },
    });
    return 'changed';
  });

const sorted = (topics: readonly string[]) => [...new Set(topics)].sort();
