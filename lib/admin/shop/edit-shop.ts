import 'server-only';
import { recordAction } from '@/lib/audit/record-action';
import type { ShopEdit } from '@/lib/contract/shapes/team';
import { transaction } from '@/lib/db/transaction';
import { lockShop } from '@/lib/shop/lock-shop';
import type { Actor } from '../actor';
import { mayLead } from './may-lead';

/** Gives a shop another name, based on the version last seen. @throws NotAllowedError as `mayLead` */
export const editShop = (actor: Actor, shopId: string, { name, version }: ShopEdit) =>
  transaction(async (tx): Promise<'changed' | 'not_found' | 'version_conflict'> => {
    const shop = await lockShop(tx, shopId);
    if (!shop || !(await mayLead(tx, actor, shopId))) return 'not_found';
    if (shop.version !== version) return 'version_conflict';
    if (shop.name === name) return 'changed';
    await tx.shop.update({ where: { id: shopId }, data: { name, version: { increment: 1 } } });
    await recordAction(tx, actor, {
      action: 'shop.edit',
      subject: { kind: 'shop', id: shopId },
      before: { name: shop.name },
      after: { name },
    });
    return 'changed';
  });
