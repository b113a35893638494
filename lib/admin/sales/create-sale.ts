import 'server-only';
import { recordAction } from '@/lib/audit/record-action';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { CreateSaleInput } from '@/lib/contract/shapes/sale-input';
import { transaction } from '@/lib/db/transaction';
import { refuseAddress } from '@/lib/decision-log/refuse-address';
import { findProductOwner } from '@/lib/product/find-owner';
import { createSale as insertSale } from '@/lib/sale/create-sale';
import { type Actor, mayManage } from '../actor';
import { type CampaignRefusal, refuseCampaign } from '../campaigns/refuse-campaign';
import { recordedSale } from './recorded-sale';

type CreateSaleResult =
  | { status: 'created'; sale: SaleInfo }
  | { status: 'product_not_found' }
  /** The server must not ask the address that it names for heads. */
  | { status: 'address'; why: string }
  | CampaignRefusal;

/** Creates a draft of a sale of one of the actor's products. Shoppers don't see it until it is published. */
export async function createSale(
  actor: Actor,
  input: CreateSaleInput & { repeatAfterSec?: number; slug?: string },
): Promise<CreateSaleResult> {
  const product = await findProductOwner(input.productId);
  if (!product) return { status: 'product_not_found' };
  return transaction(async (tx): Promise<CreateSaleResult> => {
    if (!(await mayManage(actor, product.merchantId, 'settings', tx))) return { status: 'product_not_found' };
    const why = refuseAddress(input.logWebhookUrl);
    if (why !== null) return { status: 'address', why };
    const refused = await refuseCampaign(tx, input.campaignId, { ...input, merchantId: product.merchantId });
    if (refused) return refused;
    const created = await insertSale(tx, product, input);
    const { saleId, ...after } = recordedSale(created);
    const subject = { kind: 'sale', id: saleId };
    await recordAction(tx, actor, { action: 'sale.create', subject, before: null, after });
    return { status: 'created', sale: created };
  });
}
