import type { SaleLimits } from '@/lib/redis/limit-policy';
import type { Product as ProductRow, Sale as SaleRow } from '@/prisma/generated/client';
import { endOf } from './end-of';

/**
 * What is worth knowing of a published or closed sale without asking its stock: cached in Redis and in the process.
 * Times in epoch ms, money in minor units.
 */
export type SaleInfo = {
  saleId: string;
  slug: string;
  merchantId: string;
  title: string;
  imageUrl: string | null;
  productName: string;
  description: string;
  attributes: Record<string, string>;
  priceMinor: number;
  listPriceMinor: number | null;
  currency: string;
  /** −1 = unlimited. */
  totalStock: number;
  limitPerUser: number;
  startsAt: number;
  /** As planned, or when it was closed before. */
  endsAt: number;
  entryOpensAt: number;
  paymentWindowSec: number;
  minLevel: number;
  /** Null = anybody may buy; else only those who reserve in this window. */
  reservation: { opensAt: number; closesAt: number } | null;
  /** How old an account must be to enter; 0 = any. */
  minAccountAgeSec: number;
  requireVerifiedEmail: boolean;
  status: SaleStatus;
  paused: boolean;
  strategy: SaleStrategy;
  limits: SaleLimits | null;
  onStockOutage: OnStockOutage;
  challenge: SaleChallenge;
  challengeAlternative: ChallengeAlternative;
  /** Which loading of the stock in Redis is valid. */
  epoch: number;
  version: number;
};

/**
 * Who decides a sale's purchases: the script in Redis; one transaction in Postgres; or commands to Redis under a
 * distributed lock.
 */
export const SALE_STRATEGIES = ['script', 'database', 'lock'] as const;
export type SaleStrategy = (typeof SALE_STRATEGIES)[number];

/** While Redis can't be reached the sale stays closed, or is sold through Postgres. */
export const ON_STOCK_OUTAGE = ['closed', 'database'] as const;
export type OnStockOutage = (typeof ON_STOCK_OUTAGE)[number];

/** What a shopper solves before entry: nothing, a calculation of the browser's, a slider puzzle, a sum in a picture. */
export const SALE_CHALLENGES = ['none', 'pow', 'slider', 'arithmetic'] as const;
export type SaleChallenge = (typeof SALE_CHALLENGES)[number];

/** What a shopper may do who can't do the sale's puzzle: another puzzle, or also let the browser calculate. */
export const CHALLENGE_ALTERNATIVES = ['puzzle', 'calculation'] as const;
export type ChallengeAlternative = (typeof CHALLENGE_ALTERNATIVES)[number];

export type SaleStatus = 'draft' | 'published' | 'closed';

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
