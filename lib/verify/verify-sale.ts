import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { loadingsOf, stockOfBuyer } from '@/lib/slice/loadings';
import { checkCampaign } from './check-campaign';
import { checkDeducted } from './check-deducted';
import { checkLedger, readSlicesInRedis } from './check-ledger';
import { checkLimits, checkPayments } from './check-orders';
import { checkProviderBooks } from './check-provider-books';
import { checkCommitted, checkRedisTiers, checkSaleCounters, checkTotals } from './check-tiers';
import { checkVariantCounters, checkVariantsDeducted, checkVariantsLeft } from './check-variants';
import { checkWaitlist } from './check-waitlist';
import { checkWrittenTogether } from './check-written-together';
import { describeVerification } from './describe-verification';
import { Findings } from './findings';
import { type RedisAccount, readRedisAccount } from './read-redis-account';
import { readSaleAccount } from './read-sale-account';
import { readSaleInRedis } from './read-split-account';
import { scanOrders } from './scan-orders';
import { newCount, type PurchaseCount, scanPurchases } from './scan-purchases';
import { type Scope, SuspectList } from './suspect-list';
import type { SaleAccount, Verification } from './types';

const DEFAULT_SETTLE_MS = 3000;
const REREAD_MS = 100;

export type VerifyOptions = {
  /** How long a difference on a running sale may take to disappear before it counts, in ms. Default 3000. */
  settleMs?: number;
};

/**
 * Recomputes the eight invariants of one sale from Redis, Postgres and the payment providers. It may run on a live
 * sale: purchases in outbox and executor count, and a difference counts only if it stays. Reads in pages: 100,000
 * orders take a few seconds. Leaves Redis out if the sale's stock lives in Postgres.
 *
 * @returns null if there is no such sale.
 * @throws connection errors.
 */
export async function verifySale(saleId: string, options: VerifyOptions = {}): Promise<Verification | null> {
  const { settleMs = DEFAULT_SETTLE_MS } = options;
  const accounts = await readAccounts(saleId, settleMs);
  if (!accounts) return null;
  const { sale, redis } = accounts;
  const findings = new Findings();

  checkSaleCounters(sale, findings);
  checkCommitted(sale, findings);
  checkVariantCounters(sale, findings);
  await checkLimits(saleId, sale.limitPerUser, findings);
  await checkCampaign(sale, settleMs, findings);
  await checkPayments(saleId, findings);
  const payments = await checkProviderBooks(saleId, settleMs, findings);

  const epochOf = (userId: string) => stockOfBuyer(sale, userId).epoch;
  const scope: Scope = { saleId, epochOf, limitPerUser: sale.limitPerUser, settleMs };
  const suspects = new SuspectList(scope, findings);
  let count = newCount();
  if (redis) {
    checkRedisTiers(redis, findings);
    checkTotals(sale, redis, findings);
    checkVariantsLeft(sale, redis, findings);
    await checkSlices(sale, settleMs, findings);
    await checkWaitlist(saleId, settleMs, findings);
    count = await scanRedis(sale, scope, suspects, findings);
    await suspects.settle();
    await scanOrders(scope, suspects);
    await suspects.settle();
  } else if (sale.isInDatabase) {
    await checkWrittenTogether(sale, findings);
  } else if (sale.status === 'draft') {
    if (sale.orders > 0) findings.add(5, 'draft_with_orders', { orders: sale.orders });
  } else {
    const { status, epoch } = sale;
    for (const invariant of [1, 3, 5, 6] as const) findings.add(invariant, 'not_in_redis', { status, epoch });
  }
  const { inFlightUnits } = suspects;
  return describeVerification({ sale, redis, count, inFlightUnits, payments }, findings);
}

/**
 * Reads both sides' books. Reads again for a while if epochs or totals differ, as they do for a moment during a
 * restock.
 */
async function readAccounts(
  saleId: string,
  settleMs: number,
): Promise<{ sale: SaleAccount; redis: RedisAccount | null } | null> {
  for (let waitedMs = 0; ; waitedMs += REREAD_MS) {
    const sale = await readSaleAccount(saleId);
    if (!sale) return null;
    if (sale.isInDatabase) return { sale, redis: null };
    const loaded = await readSaleInRedis(sale);
    const redis = loaded?.epoch === sale.epoch ? loaded : null;
    const agrees = redis ? redis.total === sale.total : sale.status === 'draft';
    if (agrees || waitedMs >= settleMs) return { sale, redis };
    await delay(REREAD_MS);
  }
}

/** Checks the slices of a split sale, each by itself. Units on their way are nowhere for a moment, so it looks again. */
async function checkSlices(sale: SaleAccount, settleMs: number, findings: Findings): Promise<void> {
  if (sale.slices === 1) return;
  for (let waitedMs = 0; ; waitedMs += REREAD_MS) {
    const found = new Findings();
    const slices = await readSlicesInRedis(sale);
    for (const slice of slices) if (slice) checkRedisTiers(slice, found);
    await checkLedger(sale, slices, found);
    if (waitedMs >= settleMs || !found.any()) return findings.addAll(found);
    await delay(REREAD_MS);
  }
}

/** Scans the buyer records of each stock between two readings of its tiers, and compares the sums. */
async function scanRedis(
  sale: SaleAccount,
  scope: Scope,
  suspects: SuspectList,
  findings: Findings,
): Promise<PurchaseCount> {
  const all = newCount();
  for (const { saleId: stockId } of loadingsOf(sale)) {
    const before = await readRedisAccount(stockId);
    const count = await scanPurchases(scope, stockId, suspects, findings);
    const after = await readRedisAccount(stockId);
    if (before && after) {
      checkDeducted(before, after, count, scope.limitPerUser, findings);
      checkVariantsDeducted(sale, { before, after }, count.byVariant, findings);
    }
    all.purchases += count.purchases;
    all.heldUnits += count.heldUnits;
    all.soldUnits += count.soldUnits;
  }
  return all;
}
