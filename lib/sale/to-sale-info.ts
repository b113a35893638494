import type { SaleLimits } from '@/lib/contract/shapes/limit';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type {
  ChallengeAlternative,
  OnStockOutage,
  SaleChallenge,
  SaleStatus,
  SaleStrategy,
} from '@/lib/contract/words/sale';
import type { Product as ProductRow, Sale as SaleRow } from '@/prisma/generated/client';
import { endOf } from './end-of';

/** The database row in the product's words. */
export function toSaleInfo(row: SaleRow & { product: ProductRow }): SaleInfo {
  return {
    saleId: row.id,
    slug: row.slug,
    merchantId: row.merchantId,
    title: row.title,
    imageUrl: row.product.imageUrl,
    productName: row.product.name,
    description: row.product.description,
    attributes: row.product.attributes as Record<string, string>,
    priceMinor: row.priceMinor,
    listPriceMinor: row.listPriceMinor,
    currency: row.currency,
    totalStock: row.totalStock,
    limitPerUser: row.limitPerUser,
    startsAt: row.startsAt.getTime(),
    endsAt: endOf(row),
    entryOpensAt: row.entryOpensAt.getTime(),
    paymentWindowSec: row.paymentWindowSec,
    minLevel: row.minLevel,
    reservation:
      row.reservationOpensAt && row.reservationClosesAt
        ? { opensAt: row.reservationOpensAt.getTime(), closesAt: row.reservationClosesAt.getTime() }
        : null,
    minAccountAgeSec: row.minAccountAgeSec,
    requireVerifiedEmail: row.requireVerifiedEmail,
    status: row.status as SaleStatus,
    paused: row.paused,
    strategy: row.strategy as SaleStrategy,
    limits: row.limits as SaleLimits | null,
    onStockOutage: row.onStockOutage as OnStockOutage,
    challenge: row.challenge as SaleChallenge,
    challengeAlternative: row.challengeAlternative as ChallengeAlternative,
    epoch: row.epoch,
    version: row.version,
  };
}
