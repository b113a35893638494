import 'server-only';
import { type Actor, toStanding } from '@/lib/actor/actor';
import { changedFields } from '@/lib/audit/changed-fields';
import { recordAction } from '@/lib/audit/record-action';
import type { MemberEdit } from '@/lib/contract/shapes/team';
import { shopsLedAlone } from '@/lib/shop/records/owners';
import { withdrawInvitations } from '@/lib/shop/records/withdraw-invitations';
import { changeShop } from './change-shop';

/**
 * Gives a member of a shop another role or other topics. Waits for a change that the member is making; the next one sees
 * it.
 * @throws NotAllowedError as `changeShop`
 */
export const editMember = (actor: Actor, shopId: string, userId: string, { role, topics }: MemberEdit) =>
  changeShop(actor, shopId, async (tx): Promise<'changed' | 'no_member' | 'last_owner'> => {
    const where = { shopId_userId: { shopId, userId } };
    const row = await tx.shopMember.findUnique({ where });
    if (!row) return 'no_member';
    const loses = row.role === 'owner' && role !== 'owner';
    if (loses && (await shopsLedAlone(tx, userId)).includes(shopId)) return 'last_owner';
    const after = { shopRole: role, topics: sorted(topics) };
    const fields = changedFields({ shopRole: row.role, topics: sorted(toStanding(row).topics) }, after);
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
