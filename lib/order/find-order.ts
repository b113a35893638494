import 'server-only';
import { nowMs } from '@/lib/clock';
import type { OrderView } from '@/lib/contract/shapes/order';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { STRATEGIES } from '@/lib/contract/words/sale';
import { db } from '@/lib/db/client';
import { isOutage } from '@/lib/errors/is-outage';
import { keepRepeated } from '@/lib/loading/keep-accepted';
import { findWritten } from '@/lib/order/records/find-written';
import { readOrder } from '@/lib/order/records/read-order';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { saleOf } from '@/lib/slice/numbers/stock-ids';
import { type Bought, wishOf } from '@/lib/stock/bought';
import { findBuyerOrder } from '@/lib/stock/find-buyer-order';
import type { PurchaseResult } from '@/lib/stock/purchase-stock';
import type { QueuedPurchase } from '@/lib/stock/read-asked';
import { readBuyerIn } from '@/lib/stock/read-buyer';
import type { BuyerRecord } from '@/lib/stock/types';
import { findAsked, mayHaveBeenUndecided, type Searched, searchedSales } from './find-asked';
import { findLostOrder } from './find-lost-order';

/** The client. `saleId` is known when an entry token names the user; then the reader sees only that sale's orders. */
export type OrderReader = { userId: string; saleId?: string };

/** The outcome of a purchase: its order, or, in a sale of the queue strategy, the reason why there is none. */
type LookedUp =
  | { status: 'found'; order: OrderView }
  | { status: 'refused'; result: PurchaseResult; limitPerUser: number }
  | { status: 'not_decided' };

/**
 * Finds a user's order, as `lookUpOrder` does.
 * @returns null if there is none of this number, or it is someone else's.
 */
export async function findOrder(reader: OrderReader, orderNo: string): Promise<OrderView | null> {
  const found = await lookUpOrder(reader, orderNo);
  return found?.status === 'found' ? found.order : null;
}

/**
 * Finds what became of a user's purchase. If its order is not in Postgres yet, Redis answers: `queued`, or `failed` if the
 * purchase was given up on record; in a sale of the queue strategy also `undecided`, or why it was refused. Queued orders are
 * still answered while Postgres is down.
 * @returns null if there is none of this number, or it is someone else's.
 * @throws an outage when that can't be known: Postgres is down, or Redis has lost the sale and is being rebuilt.
 */
export async function lookUpOrder(reader: OrderReader, orderNo: string): Promise<LookedUp | null> {
  const { userId, saleId } = reader;
  let outage: unknown;
  try {
    const order = await readOrder(userId, orderNo);
    if (order) return saleId === undefined || order.saleId === saleId ? { status: 'found', order } : null;
  } catch (error) {
    if (!isOutage(error)) throw error;
    outage = error;
  }
  // Before the buyers: a purchase that is accepted moves from here to there.
  const searched: Searched = saleId === undefined ? await searchedSales(orderNo) : new Map([[saleId, []]]);
  const waiting = await findAsked(userId, orderNo, searched.keys());
  if (waiting) return answerAsked(waiting);
  let found = await findRecord(reader, orderNo, [...searched.values()].flat());
  // Only Postgres can say that an order is unknown.
  if (outage && found?.record.state !== 'held') throw outage;
  found ??= await findLostOrder({ userId, saleId }, orderNo);
  if (!found) return (await mayHaveBeenUndecided(reader, orderNo)) ? { status: 'not_decided' } : null;
  // A released record alone does not mean failed: if a rebuild finds no unit for a purchase on its way, Postgres
  // decides.
  const isFailed =
    found.record.state === 'released' && (await findWritten(db(), found.saleId, [orderNo])).has(orderNo);
  const sale = await findSaleInfo(found.saleId);
  if (!sale) return null;
  if (STRATEGIES[sale.strategy].isQueued && found.record.state === 'held')
    keepTold(sale, userId, found.record);
  const order = toView(sale, found.record, isFailed ? 'failed' : 'queued');
  // The order may have been written between the two looks, and a later event may have changed its record.
  const isQueued = order.status === 'queued';
  return { status: 'found', order: isQueued ? order : ((await readOrder(userId, orderNo)) ?? order) };
}

async function answerAsked({
  saleId,
  asked,
}: {
  saleId: string;
  asked: QueuedPurchase;
}): Promise<LookedUp | null> {
  const sale = await findSaleInfo(saleId);
  if (!sale) return null;
  const { limitPerUser } = sale;
  if (asked.refusal) return { status: 'refused', result: asked.refusal, limitPerUser };
  return { status: 'found', order: toView(sale, asked, 'undecided') };
}

/** The shopper is about to hear that the purchase was accepted: from here on this process, too, knows it. */
function keepTold({ saleId, epoch }: SaleInfo, userId: string, record: BuyerRecord): void {
  keepRepeated({ ...record, saleId, epoch, userId });
}

/** @param stocks where to look if the sale is not known */
async function findRecord({ userId, saleId }: OrderReader, orderNo: string, stocks: readonly string[]) {
  if (saleId !== undefined) {
    // Tells this process how the sale is split, also while Postgres is down.
    await findSaleInfo(saleId);
    const record = await findBuyerOrder({ saleId, userId, orderNo });
    return record && { saleId, record };
  }
  const found = await Promise.all(stocks.map((stockId) => readBuyerIn(stockId, userId)));
  for (const [at, records] of found.entries()) {
    const record = records.find((one) => one.orderNo === orderNo);
    if (record) return { saleId: saleOf(stocks[at] as string), record };
  }
  return null;
}

function toView(sale: SaleInfo, bought: Bought, status: 'undecided' | 'queued' | 'failed'): OrderView {
  const wish = wishOf(bought);
  return {
    orderNo: bought.orderNo,
    saleId: sale.saleId,
    saleTitle: sale.title,
    saleTitles: sale.titles,
    saleSlug: sale.slug,
    campaign: sale.campaign && { slug: sale.campaign.slug, title: sale.campaign.title },
    imageUrl: sale.imageUrl,
    ...wish,
    variantName: sale.variants[wish.variant - 1]?.name ?? null,
    unitPriceMinor: sale.priceMinor,
    shippingMinor: 0,
    amountMinor: sale.priceMinor * wish.quantity,
    taxRate: null,
    refundedMinor: 0,
    currency: sale.currency,
    status,
    payBy: null,
    createdAt: null,
    paidAt: null,
    cancelledAt: null,
    endReason: status === 'failed' ? 'not_writable' : null,
    provider: null,
    delivery: null,
    serverTime: nowMs(),
    version: 0,
  };
}
