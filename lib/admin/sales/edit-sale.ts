import 'server-only';
import type { z } from 'zod';
import { ensureStockLoaded } from '@/lib/checkout/recovery/ensure-stock-loaded';
import { loadingsOf } from '@/lib/checkout/slices/loadings';
import { nowMs } from '@/lib/clock';
import type { CreateSaleInput, EditSaleInput } from '@/lib/contract/shapes/sale-input';
import { refuseAddress } from '@/lib/decision-log/refuse-address';
import { findProductOwner } from '@/lib/product/find-owner';
import { saleColumns, saleSlug } from '@/lib/sale/sale-columns';
import { extendStock } from '@/lib/stock/extend-stock';
import { StockNotLoadedError } from '@/lib/stock/stock-not-loaded-error';
import type { Prisma } from '@/prisma/generated/client';
import type { Actor } from '../actor';
import { type CampaignRefusal, refuseCampaign } from '../campaigns/refuse-campaign';
import { renewSalePages } from '../pages/renew-sale-pages';
import { type ChangeResult, changeSale } from './change-sale';
import { changesOf, type FixedField, fieldsOf, fixedFields, mergeDraft, type SaleFields } from './sale-edits';

type Refusal =
  | { status: 'version_conflict'; version: number; current: SaleFields }
  | { status: 'fixed'; fields: FixedField[] }
  | { status: 'invalid'; error: z.ZodError }
  | { status: 'product_not_found' }
  | { status: 'address'; why: string }
  | { status: 'over' }
  | CampaignRefusal;

export type EditSaleResult = ChangeResult<Refusal>;

/**
 * Edits a sale based on the version the editor saw. In a draft everything can change. In a published sale its title
 * can, and its end to a later moment while it is not over; Postgres and Redis change together, so that purchases go
 * on without a gap.
 * @throws StockNotLoadedError if Redis loses the sale just then, connection errors; nothing has changed.
 */
export async function editSale(actor: Actor, saleId: string, input: EditSaleInput): Promise<EditSaleResult> {
  await ensureStockLoaded(saleId);
  const product = input.productId === undefined ? null : await findProductOwner(input.productId);
  let changes: Partial<SaleFields> = {};
  let draft: CreateSaleInput | undefined;
  const result = await changeSale<Refusal>(actor, saleId, {
    action: 'sale.edit',
    from: ['draft', 'published'],
    refuse: (row, tx) => {
      const before = fieldsOf(row);
      if (row.version !== input.version)
        return { status: 'version_conflict', version: row.version, current: before };
      changes = changesOf(before, input);
      if (row.status === 'draft') {
        if (changes.productId !== undefined && product?.merchantId !== row.merchantId)
          return { status: 'product_not_found' };
        const merged = mergeDraft(before, changes);
        if (!merged.success) return { status: 'invalid', error: merged.error };
        const why = refuseAddress(merged.data.logWebhookUrl);
        if (why !== null) return { status: 'address', why };
        draft = merged.data;
        return refuseCampaign(tx, draft.campaignId, { ...draft, merchantId: row.merchantId });
      }
      const fields = fixedFields(before, changes);
      if (fields.length > 0) return { status: 'fixed', fields };
      return changes.endsAt !== undefined && row.endsAt.getTime() <= nowMs() ? { status: 'over' } : null;
    },
    data: () => (draft ? draftData(saleId, draft, changes, product?.slug) : publishedData(changes)),
    inRedis: async (sale) => {
      const { endsAt } = changes;
      if (sale.status === 'draft' || endsAt === undefined) return null;
      for (const stock of loadingsOf(sale)) {
        const reply = await extendStock({ ...stock, endsAt });
        switch (reply.status) {
          case 'extended':
            continue;
          case 'ended':
            return { status: 'over' };
          case 'not_later':
            return { status: 'fixed', fields: [{ path: 'endsAt', reason: 'only_later' }] };
          default:
            throw new StockNotLoadedError(`${stock.saleId} under epoch ${stock.epoch}: ${reply.status}`);
        }
      }
      return null;
    },
  });
  if (result.status === 'changed' && result.sale.status !== 'draft')
    await renewSalePages([result.sale.slug], result.sale.campaign?.slug);
  return result;
}

const publishedData = ({ title, endsAt }: Partial<SaleFields>): Prisma.SaleUpdateInput => ({
  title,
  endsAt: endsAt === undefined ? undefined : new Date(endsAt),
});

/** Nobody has seen a draft's address yet, so with another product it gets another one. */
const draftData = (
  saleId: string,
  draft: CreateSaleInput,
  { productId, campaignId }: Partial<SaleFields>,
  slug = '',
): Prisma.SaleUpdateInput => ({
  ...saleColumns(draft),
  ...(campaignId === undefined
    ? {}
    : { campaign: campaignId === null ? { disconnect: true } : { connect: { id: campaignId } } }),
  ...(productId === undefined
    ? {}
    : { product: { connect: { id: productId } }, slug: saleSlug(slug, saleId) }),
});
