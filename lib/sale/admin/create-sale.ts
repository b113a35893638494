import 'server-only';
import { type Actor, mayManage } from '@/lib/actor/actor';
import { createOnce } from '@/lib/actor/create-once';
import { recordAction } from '@/lib/audit/record-action';
import { type CampaignRefusal, refuseCampaign } from '@/lib/campaign/admin/refuse-campaign';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { CreateSaleInput } from '@/lib/contract/shapes/sale-input';
import { transaction } from '@/lib/db/transaction';
import { findProductOwner } from '@/lib/product/find-owner';
import { arePicturesOf } from '@/lib/product/pictures';
import { type ProductRefusal, refuseArchived } from '@/lib/product/refuse-archived';
import { findSaleRow, createSale as insertSale } from '@/lib/sale/records/create-sale';
import { recordedSale } from './recorded-sale';

type CreateSaleResult =
  | { status: 'created'; sale: SaleInfo }
  | { status: 'product_not_found' | 'picture_not_found' | 'made_otherwise' | 'slug_taken' }
  | CampaignRefusal
  | ProductRefusal;

/**
 * Creates a draft of a sale of a product of the actor's shops, once for each request. Shoppers don't see it until it is
 * published.
 * @param shopId see `createOnce`
 */
export async function createSale(
  actor: Actor,
  input: CreateSaleInput & { repeatAfterSec?: number; slug?: string },
  shopId?: string,
): Promise<CreateSaleResult> {
  const product = await findProductOwner(input.productId);
  if (!product) return { status: 'product_not_found' };
  return transaction(async (tx): Promise<CreateSaleResult> => {
    if (!(await mayManage(actor, product.merchantId, 'settings', tx))) return { status: 'product_not_found' };
    const pictures = input.variants.map(({ picture }) => picture);
    if (!(await arePicturesOf(tx, input.productId, pictures))) return { status: 'picture_not_found' };
    const refused = await refuseCampaign(tx, input.campaignId, { ...input, merchantId: product.merchantId });
    if (refused) return refused;
    const archived = await refuseArchived(tx, input.productId);
    if (archived) return archived;
    const made = await createOnce(tx, actor, 'sale', input, {
      insert: (id) => insertSale(tx, id, product, input),
      find: (id) => findSaleRow(tx, id),
      shopId,
    });
    if (made.status === 'not_made') return { status: 'slug_taken' };
    if (made.status === 'made_otherwise') return made;
    const sale = made.thing;
    if (made.status === 'created') {
      const { saleId, ...after } = recordedSale(sale);
      const subject = { kind: 'sale', id: saleId };
      await recordAction(tx, actor, { action: 'sale.create', subject, before: null, after });
    }
    return { status: 'created', sale };
  });
}
