import pLimit from 'p-limit';
import { db } from '@/lib/db/client';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { publishSale } from '@/lib/sale/admin/publish-sale';
import { draftSale, makeProduct, type SaleTerms } from '@/tools/harness/draft-sale';
import { recruitMerchant } from '@/tools/harness/recruit';

const OPEN_MS = 2 * 60 * 60 * 1000;
/** Longer than a run, because orders must not expire while they are counted. */
const PAYMENT_WINDOW_SEC = 3_600;
const AT_ONCE = 8;

export type BenchSale = { saleId: string; slug: string; gate: string; epoch: number };

let seller: ReturnType<typeof recruitSeller> | undefined;
/** The sales that no figure has dropped yet. */
const opened = new Set<BenchSale>();

/** Publishes a sale that is open for two hours. @param stock units; limit 1 per user. @param startsAt epoch ms */
export async function openBenchSale(
  stock: number,
  { startsAt = Date.now() - 1_000, ...terms }: Partial<SaleTerms> = {},
): Promise<BenchSale> {
  seller ??= recruitSeller();
  const { merchant, productId } = await seller;
  const draft = await draftSale(merchant, {
    productId,
    title: 'Bench sale',
    priceMinor: 19_900,
    listPriceMinor: 29_900,
    currency: 'CNY',
    totalStock: stock,
    startsAt,
    endsAt: startsAt + OPEN_MS,
    entryOpensAt: startsAt - 60_000,
    paymentWindowSec: PAYMENT_WINDOW_SEC,
    ...terms,
  });
  // Publishes without a web process: the fast path's work before a round is no part of the round.
  const published = await publishSale(merchant, draft.saleId);
  if (published.status !== 'changed') throw new Error(`the bench's sale: ${published.status}`);
  const { saleId, slug, epoch } = published.sale;
  const { gate } = await db().sale.findUniqueOrThrow({ where: { id: saleId }, select: { gate: true } });
  const sale = { saleId, slug, gate, epoch };
  opened.add(sale);
  return sale;
}

/** Drops all sales that a figure has left. */
export async function dropBenchSales(): Promise<void> {
  const limit = pLimit(AT_ONCE);
  await Promise.all([...opened].map((sale) => limit(() => dropBenchSale(sale))));
}

/**
 * Deletes what a round left in Redis, so that the next round meets the same server. The sale becomes one that ended
 * long ago: a worker of a later round would otherwise bring the lost purchases back and write their orders.
 */
export async function dropBenchSale(sale: BenchSale): Promise<void> {
  opened.delete(sale);
  const { saleId } = sale;
  const [startsAt, endsAt] = [Date.now() - 2 * OPEN_MS, Date.now() - OPEN_MS];
  await db().sale.update({
    where: { id: saleId },
    data: { startsAt: new Date(startsAt), endsAt: new Date(endsAt), entryOpensAt: new Date(startsAt) },
  });
  await stockRedis().srem(keys.openSales(), saleId);
  await stockRedis().unlink(keys.outbox(saleId), keys.buyers(saleId), keys.limits(saleId));
}

/** Returns the merchant of the bench's sales. */
export async function benchMerchant() {
  seller ??= recruitSeller();
  return (await seller).merchant;
}

async function recruitSeller() {
  const merchant = await recruitMerchant('bench');
  const productId = await makeProduct(merchant, {
    name: 'Bench product',
    description: 'What the bench buys.',
  });
  return { merchant, productId };
}
