import 'server-only';
import type { OnStockOutage, SaleAdmission, SaleStrategy } from '@/lib/contract/words/sale';
import { db } from '@/lib/db/client';
import { endOf } from './end-of';
import type { ListedSale } from './listed-sale';
import { CAMPAIGN_PART, toCampaignLink } from './to-sale-info';

/**
 * A listed sale as Postgres has it. Its `available` comes from Postgres's own counters; used while no store sells the
 * sale.
 */
export type ListRow = {
  sale: ListedSale;
  strategy: SaleStrategy;
  onStockOutage: OnStockOutage;
};

/** The most sales in the list: those that run or are to come, and the latest of those that are over. */
export const MAX_LISTED = 5_000;

/**
 * Reads published and closed sales; with `changedSince` (epoch ms) only those whose own or product's or campaign's row was changed
 * in the admin area since then. Purchases don't count as a change. @throws connection errors
 */
export async function readListRows(changedSince: number | null): Promise<ListRow[]> {
  const since = changedSince === null ? undefined : { updatedAt: { gt: new Date(changedSince) } };
  const rows = await db().sale.findMany({
    where: {
      status: { not: 'draft' },
      ...(since && { OR: [since, { product: since }, { campaign: since }] }),
    },
    select: {
      id: true,
      slug: true,
      title: true,
      titles: true,
      priceMinor: true,
      listPriceMinor: true,
      currency: true,
      startsAt: true,
      endsAt: true,
      closedAt: true,
      status: true,
      paused: true,
      strategy: true,
      reservationOpensAt: true,
      reservationClosesAt: true,
      admission: true,
      onStockOutage: true,
      totalStock: true,
      heldStock: true,
      soldStock: true,
      stockMargin: true,
      product: { select: { imageUrl: true } },
      campaign: CAMPAIGN_PART,
    },
    orderBy: { endsAt: 'desc' },
    take: MAX_LISTED,
  });
  return rows.map(({ id: saleId, slug, title, priceMinor, listPriceMinor, currency, ...row }) => {
    const { reservationOpensAt: opensAt, reservationClosesAt: closesAt, totalStock: total } = row;
    const left = Math.max(0, total - row.heldStock - row.soldStock - row.stockMargin);
    const sale: ListedSale = {
      saleId,
      slug,
      title,
      titles: row.titles as ListedSale['titles'],
      imageUrl: row.product.imageUrl,
      priceMinor,
      listPriceMinor,
      currency,
      reservation: opensAt && closesAt ? { opensAt: opensAt.getTime(), closesAt: closesAt.getTime() } : null,
      campaign: toCampaignLink(row.campaign),
      admission: row.admission as SaleAdmission,
      startsAt: row.startsAt.getTime(),
      endsAt: endOf(row),
      paused: row.paused,
      closed: row.status === 'closed',
      total,
      available: total === -1 ? -1 : left,
    };
    return {
      sale,
      strategy: row.strategy as SaleStrategy,
      onStockOutage: row.onStockOutage as OnStockOutage,
    };
  });
}
