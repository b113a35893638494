import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import { changedFields } from '@/lib/audit/changed-fields';
import { recordAction } from '@/lib/audit/record-action';
import type { ShopEdit } from '@/lib/contract/shapes/team';
import { toShipping } from '@/lib/shop/records/shipping';
import { changeShop } from './change-shop';

/** Gives a shop another name or other prices of shipping, based on the version last seen. @throws NotAllowedError as `changeShop` */
export const editShop = (actor: Actor, shopId: string, { version, ...edit }: ShopEdit) =>
  changeShop(actor, shopId, async (tx, shop): Promise<'changed' | 'version_conflict'> => {
    if (shop.version !== version) return 'version_conflict';
    const before = { name: shop.name, shipping: toShipping(shop.shipping) };
    const fields = changedFields(before, { ...before, ...edit });
    if (!fields) return 'changed';
    await tx.shop.update({ where: { id: shopId }, data: { ...edit, version: { increment: 1 } } });
    await recordAction(tx, actor, {
      action: 'shop.edit',
      subject: { kind: 'shop', id: shopId },
      ...fields,
    });
    return 'changed';
  });
