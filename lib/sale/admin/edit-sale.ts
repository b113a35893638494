import 'server-only';
import type { z } from 'zod';
import type { Actor } from '@/lib/actor/actor';
import { type CampaignRefusal, refuseCampaign } from '@/lib/campaign/admin/refuse-campaign';
import { nowMs } from '@/lib/clock';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { CreateSaleInput, EditSaleInput } from '@/lib/contract/shapes/sale-input';
import type { Db } from '@/lib/db/client';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { renewSalePages } from '@/lib/pages/renew-sale-pages';
import { findProductOwner } from '@/lib/product/find-owner';
import { arePicturesOf } from '@/lib/product/pictures';
import { type ProductRefusal, refuseArchived } from '@/lib/product/refuse-archived';
import { saleColumns, saleSlug } from '@/lib/sale/records/sale-columns';
import type { SaleWithParts } from '@/lib/sale/records/to-sale-info';
import { variantRows } from '@/lib/sale/records/variant-rows';
import { loadingsOf } from '@/lib/slice/loadings';
import { moveWindow } from '@/lib/stock/move-window';
import { StockNotLoadedError } from '@/lib/stock/stock-not-loaded-error';
import type { Prisma } from '@/prisma/generated/client';
import { type ChangeResult, changeSale } from './change-sale';
import { followStart, refuseWindow } from './move-start';
import { changesOf, type FixedField, fieldsOf, fixedFields, mergeDraft, type SaleFields } from './sale-edits';

type Refusal =
  | { status: 'version_conflict'; version: number; current: SaleFields }
  | { status: 'fixed'; fields: FixedField[] }
  | { status: 'invalid'; error: z.ZodError }
  | { status: 'product_not_found' | 'picture_not_found' }
  | { status: 'over' }
  | CampaignRefusal
  | ProductRefusal;

export type EditSaleResult = ChangeResult<Refusal>;

/**
 * Edits a sale, based on the version the editor saw. A draft can change in everything. A published sale can change its
 * title; its start and end to moments to come until it starts; and then its end to a later moment while it runs.
 * Postgres and Redis change together, so purchases go on without a gap.
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
    refuse: async (row, tx) => {
      const before = fieldsOf(row);
      if (row.version !== input.version)
        return { status: 'version_conflict', version: row.version, current: before };
      changes = changesOf(before, input);
      if (row.status === 'draft') {
        if (changes.productId !== undefined) {
          if (product?.merchantId !== row.merchantId) return { status: 'product_not_found' };
          const archived = await refuseArchived(tx, changes.productId);
          if (archived) return archived;
        }
        const merged = mergeDraft(before, changes);
        if (!merged.success) return { status: 'invalid', error: merged.error };
        draft = merged.data;
        const pictures = draft.variants.map(({ picture }) => picture);
        if (!(await arePicturesOf(tx, draft.productId, pictures))) return { status: 'picture_not_found' };
        return refuseCampaign(tx, draft.campaignId, { ...draft, merchantId: row.merchantId });
      }
      return refusePublished(tx, row, changes);
    },
    data: (sale) => (draft ? draftData(saleId, draft, changes, product?.slug) : publishedData(sale, changes)),
    inRedis: async (sale) => (sale.status === 'draft' ? null : moveInRedis(sale, changes)),
  });
  if (result.status === 'changed' && result.sale.status !== 'draft')
    await renewSalePages([result.sale.slug], result.sale.campaign?.slug);
  return result;
}

/**
 * Tells why a published sale does not change like that. Whether it has started is decided by the clock of Postgres,
 * whose row is locked, and then by that of Redis, if Redis sells it.
 */
async function refusePublished(
  tx: Db,
  row: SaleWithParts,
  changes: Partial<SaleFields>,
): Promise<Refusal | null> {
  const before = fieldsOf(row);
  const [clock] = await tx.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  const now = clock?.now.getTime() ?? 0;
  const hasStarted = now >= before.startsAt;
  const fields = fixedFields(before, changes, hasStarted);
  if (fields.length > 0) return { status: 'fixed', fields };
  const { startsAt, endsAt } = { ...before, ...changes };
  if (!isWindow(changes)) return null;
  if (now >= before.endsAt) return { status: 'over' };
  const error = hasStarted ? null : refuseWindow(changes, { startsAt, endsAt }, now);
  return error && { status: 'invalid', error };
}

const isWindow = ({ startsAt, endsAt }: Partial<SaleFields>): boolean =>
  startsAt !== undefined || endsAt !== undefined;

async function moveInRedis(sale: SaleInfo, changes: Partial<SaleFields>): Promise<Refusal | null> {
  if (!isWindow(changes)) return null;
  const { startsAt, endsAt } = { ...sale, ...changes };
  for (const stock of loadingsOf(sale)) {
    const reply = await moveWindow({ ...stock, startsAt, endsAt });
    switch (reply.status) {
      case 'moved':
        continue;
      case 'ended':
        return { status: 'over' };
      case 'started':
        return { status: 'fixed', fields: [{ path: 'startsAt', reason: 'started' }] };
      case 'past':
        return {
          status: 'invalid',
          error: refuseWindow(changes, { startsAt, endsAt }, startsAt) as z.ZodError,
        };
      case 'not_later':
        return { status: 'fixed', fields: [{ path: 'endsAt', reason: 'only_later' }] };
      default:
        throw new StockNotLoadedError(`${stock.saleId} under epoch ${stock.epoch}: ${reply.status}`);
    }
  }
  return null;
}

function publishedData(
  sale: SaleInfo,
  { title, titles, startsAt, endsAt }: Partial<SaleFields>,
): Prisma.SaleUpdateInput {
  const date = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms));
  const followed = startsAt === undefined ? null : followStart(sale, startsAt, nowMs());
  return {
    title,
    titles,
    startsAt: date(startsAt),
    endsAt: date(endsAt),
    entryOpensAt: date(followed?.entryOpensAt),
    reservationOpensAt: date(followed?.reservation?.opensAt),
    reservationClosesAt: date(followed?.reservation?.closesAt),
  };
}

/** Gives a draft with another product another address: nobody has seen the first one yet. */
const draftData = (
  saleId: string,
  draft: CreateSaleInput,
  { productId, campaignId, variants }: Partial<SaleFields>,
  slug = '',
): Prisma.SaleUpdateInput => ({
  ...saleColumns(draft),
  ...(variants && { variants: { deleteMany: {}, createMany: { data: variantRows(variants) } } }),
  ...(campaignId === undefined
    ? {}
    : { campaign: campaignId === null ? { disconnect: true } : { connect: { id: campaignId } } }),
  ...(productId === undefined
    ? {}
    : { product: { connect: { id: productId } }, slug: saleSlug(slug, saleId) }),
});
