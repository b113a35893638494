import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import type { ShopEdit } from '@/lib/contract/shapes/team';
import { changeShop } from './change-shop';

/** Gives a shop another name, based on the version last seen. @throws NotAllowedError as `changeShop` */
export const editShop = (actor: Actor, shopId: string, { name, version }: ShopEdit) =>
  changeShop(actor, shopId, async (tx, shop): Promise<'changed' | 'version_conflict'> => {
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
