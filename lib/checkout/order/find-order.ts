import 'server-only';
import { nowMs } from '@/lib/clock';
import type { OrderView } from '@/lib/contract/shapes/order';
import { db } from '@/lib/db/client';
import { isOutage } from '@/lib/errors/is-outage';
import { findWritten } from '@/lib/order/find-written';
import { readOrder } from '@/lib/order/read-order';
import { readOpenSales } from '@/lib/outbox/open-sales';
import { findSaleInfo } from '@/lib/sale/find-sale-info';
import { saleOf } from '@/lib/slice/stock-ids';
import { findBuyerOrder } from '@/lib/stock/find-buyer-order';
import { readBuyerIn } from '@/lib/stock/read-buyer';
import type { BuyerRecord } from '@/lib/stock/types';
import { findLostOrder } from './find-lost-order';

/** Bounds the search for a queued order when the sale's id is unknown (no entry token): at most this many open sales. */
const MAX_SALES_SEARCHED = 100;

/** The client. `saleId` is known when an entry token names the user; then the reader sees only that sale's orders. */
export type OrderReader = { userId: string; saleId?: string };

/**
 * Finds a user's order. If it is not in Postgres yet, the buyer record in Redis answers: `queued`, or `failed` if the
 * purchase was given up on record. Queued orders are still answered while Postgres is down.
 * @returns null if there is none of this number, or it is someone else's.
 * @throws an outage when that can't be known: Postgres is down, or Redis has lost the sale and is being rebuilt.
 */
export async function findOrder({ userId, saleId }: OrderReader, orderNo: string): Promise<OrderView | null> {
  let outage: unknown;
  try {
    const order = await readOrder(userId, orderNo);
    if (order) return saleId === undefined || order.saleId === saleId ? order : null;
  } catch (error) {
    if (!isOutage(error)) throw error;
    outage = error;
  }
  let found = await findRecord(userId, orderNo, saleId);
  // Only Postgres can say that an order is unknown.
  if (outage && found?.record.state !== 'held') throw outage;
  found ??= await findLostOrder({ userId, saleId }, orderNo);
  // A released record alone does not mean failed: if a rebuild finds no unit for a purchase on its way, Postgres
  // decides.
  const isFailed =
    found?.record.state === 'released' && (await findWritten(db(), found.saleId, [orderNo])).has(orderNo);
  const view = found && (await toQueuedView(found.saleId, found.record, isFailed));
  // The order may have been written between the two looks, and a later event may have changed its record.
  if (view && view.status !== 'queued') return (await readOrder(userId, orderNo)) ?? view;
  return view;
}

async function findRecord(userId: string, orderNo: string, saleId?: string) {
  if (saleId !== undefined) {
    // Tells this process how the sale is split, also while Postgres is down.
    await findSaleInfo(saleId);
    const record = await findBuyerOrder({ saleId, userId, orderNo });
    return record && { saleId, record };
  }
  // Each slice of a split sale stands in this list: nobody need know how many there are.
  const open = await readOpenSales();
  const searched = new Set([...new Set(open.map(saleOf))].slice(0, MAX_SALES_SEARCHED));
  const stocks = open.filter((stockId) => searched.has(saleOf(stockId)));
  const found = await Promise.all(stocks.map((stockId) => readBuyerIn(stockId, userId)));
  for (const [at, records] of found.entries()) {
    const record = records.find((one) => one.orderNo === orderNo);
    if (record) return { saleId: saleOf(stocks[at] as string), record };
  }
  return null;
}

async function toQueuedView(
  saleId: string,
  record: BuyerRecord,
  isFailed: boolean,
): Promise<OrderView | null> {
  const sale = await findSaleInfo(saleId);
  if (!sale) return null;
  return {
    orderNo: record.orderNo,
    saleId,
    saleTitle: sale.title,
    saleSlug: sale.slug,
    campaign: sale.campaign && { slug: sale.campaign.slug, title: sale.campaign.title },
    imageUrl: sale.imageUrl,
    quantity: record.units,
    unitPriceMinor: sale.priceMinor,
    amountMinor: sale.priceMinor * record.units,
    currency: sale.currency,
    status: isFailed ? 'failed' : 'queued',
    payBy: null,
    createdAt: null,
    paidAt: null,
    cancelledAt: null,
    endReason: isFailed ? 'not_writable' : null,
    provider: null,
    serverTime: nowMs(),
    version: 0,
  };
}
