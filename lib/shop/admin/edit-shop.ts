import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import { changedFields } from '@/lib/audit/changed-fields';
import { recordAction } from '@/lib/audit/record-action';
import type { ShippingRule } from '@/lib/contract/shapes/shipping';
import type { ShopEdit } from '@/lib/contract/shapes/team';
import type { Db } from '@/lib/db/client';
import { renewSalePages } from '@/lib/pages/renew-sale-pages';
import { asksForShipping, toShipping } from '@/lib/shop/records/shipping';
import { changeShop } from './change-shop';

/**
 * Gives a shop another name or other prices of shipping, based on the version last seen, and renews the pages that say whether
 * a parcel costs something.
 * @throws NotAllowedError as `changeShop`
 */
export async function editShop(actor: Actor, shopId: string, { version, ...edit }: ShopEdit) {
  let slugs: string[] = [];
  const result = await changeShop(
    actor,
    shopId,
    async (tx, shop): Promise<'changed' | 'version_conflict'> => {
      if (shop.version !== version) return 'version_conflict';
      const before = { name: shop.name, shipping: toShipping(shop.shipping) };
      const after = { ...before, ...edit };
      const fields = changedFields(before, after);
      if (!fields) return 'changed';
      await tx.shop.update({ where: { id: shopId }, data: { ...edit, version: { increment: 1 } } });
      await recordAction(tx, actor, {
        action: 'shop.edit',
        subject: { kind: 'shop', id: shopId },
        ...fields,
      });
      slugs = await findConcerned(tx, shopId, before.shipping, after.shipping);
      return 'changed';
    },
  );
  if (slugs.length > 0) await renewSalePages(slugs);
  return result;
}

/** Returns the open sales of parcels in the currencies in which parcels begin, or cease, to cost something. */
async function findConcerned(
  tx: Db,
  merchantId: string,
  before: readonly ShippingRule[],
  after: readonly ShippingRule[],
): Promise<string[]> {
  const currencies = [...before, ...after]
    .map(({ currency }) => currency)
    .filter((currency) => asksForShipping(before, currency) !== asksForShipping(after, currency));
  const sales = await tx.sale.findMany({
    where: {
      merchantId,
      currency: { in: currencies },
      status: 'published',
      endsAt: { gt: new Date() },
      product: { delivery: 'parcel' },
    },
    select: { slug: true },
  });
  return sales.map(({ slug }) => slug);
}
