import 'server-only';
import { readBreakers } from '@/lib/breaker/read-breakers';
import { nowMs } from '@/lib/clock';
import type { Live } from '@/lib/contract/shapes/live';
import { type SaleStrategy, STRATEGIES } from '@/lib/contract/words/sale';
import { db } from '@/lib/db/client';
import type { ErrorCode } from '@/lib/errors/codes';
import { unlessOutage } from '@/lib/errors/unless-outage';
import { type Refusals, readAttempts, withWritten } from '@/lib/metrics/attempts';
import { createRateMeter } from '@/lib/metrics/rate-meter';
import type { OutboxDepth } from '@/lib/outbox/read-outbox-depth';
import { readWaiting } from '@/lib/outbox/read-waiting';
import { countReserved } from '@/lib/reservation/count-reserved';
import { countInDatabase as countWritten } from '@/lib/reservation/records/count-reserved';
import { isInDatabase } from '@/lib/sale/records/is-in-database';
import { SALE_PARTS, toSaleInfo } from '@/lib/sale/records/to-sale-info';
import { readUndecided } from '@/lib/stock/read-asked';
import { readSwitchedOff } from '@/lib/switchboard/admin/read-switchboard';
import { countPlaces } from '@/lib/waitlist/records/count-places';
import { readList } from '@/lib/waitlist/records/read-list';
import { countOrders } from './count-orders';
import { readInvariants } from './read-invariants';
import { readSituation } from './read-situation';

/** No purchase ever waits in an outbox if its order is written together with it. */
const NO_OUTBOX: OutboxDepth = { depth: 0, oldestAgeMs: 0 };

const countUndecided = async (saleId: string) => (await readUndecided(saleId)).count;

type Counted = Pick<Live, 'attempts' | 'refusals'>;
const NONE_COUNTED: Counted = {
  attempts: { accepted: 0, replayed: 0, soldOut: 0, rateLimited: 0, rejected: 0 },
  refusals: [],
};

const meter = createRateMeter();

/**
 * Counts all of a sale's figures now, with some ten queries to Redis and Postgres. Only `countOrders` grows with the sale.
 * It runs once a second per sale, however many people look (`live-feed.ts`). While Redis is away, the figures that
 * only Redis knows keep their last values.
 * @param before the last figures, if any: their invariants stay until they are recomputed.
 * @returns null if there is no such sale. @throws connection errors
 */
export async function countFigures(saleId: string, before: Live | null): Promise<Live | null> {
  const row = await db().sale.findUnique({ where: { id: saleId }, include: SALE_PARTS });
  if (!row) return null;
  const { reservation } = toSaleInfo(row);
  const [
    situation,
    depth,
    undecided,
    reserved,
    written,
    waitlist,
    counted,
    orders,
    riskRules,
    deadLetters,
    breakers,
    switchedOff,
    invariants,
  ] = await Promise.all([
    readSituation(row),
    isInDatabase(row) ? NO_OUTBOX : unlessOutage(readWaiting(saleId), lastOutbox(before)),
    STRATEGIES[row.strategy as SaleStrategy].isQueued
      ? unlessOutage(countUndecided(saleId), before?.queue.undecided ?? 0)
      : 0,
    reservation && unlessOutage(countReserved(toSaleInfo(row)), before?.reservations?.reserved ?? null),
    reservation && countWritten(saleId),
    row.waitlist ? describeWaitlist(saleId, !row.waitlistClosed, before) : null,
    unlessOutage(readCounted(saleId), before ?? NONE_COUNTED),
    describeOrders(saleId),
    countHits(saleId),
    db().deadLetter.count({ where: { saleId, resolvedAt: null } }),
    readBreakers(),
    readSwitchedOff(),
    readInvariants(row, before),
  ]);
  return {
    ...situation,
    at: nowMs(),
    orders,
    queue: {
      undecided,
      outbox: depth.depth,
      relayLagMs: depth.oldestAgeMs,
      deadLetters,
      // Orders are never deleted, so the growth of their number is the number written since.
      ordersPerSec: meter(saleId, orders.written, performance.now()),
    },
    reservations: reserved === null || written === null ? null : { reserved, written },
    waitlist,
    attempts: withWritten(counted.attempts, orders.written),
    refusals: counted.refusals,
    risk: { hits: riskRules.reduce((sum, { hits }) => sum + hits, 0) },
    riskRules,
    breakers,
    switchedOff,
    ...invariants,
  };
}

const lastOutbox = (before: Live | null): OutboxDepth =>
  before ? { depth: before.queue.outbox, oldestAgeMs: before.queue.relayLagMs } : NO_OUTBOX;

async function describeWaitlist(
  saleId: string,
  isOpen: boolean,
  before: Live | null,
): Promise<NonNullable<Live['waitlist']>> {
  const [places, list] = await Promise.all([countPlaces(saleId), unlessOutage(readList(saleId), null)]);
  return { ...places, waiting: list?.waiting ?? before?.waitlist?.waiting ?? 0, isOpen };
}

async function readCounted(saleId: string): Promise<Counted> {
  const { attempts, refusals } = await readAttempts(saleId);
  return { attempts, refusals: byFrequency(refusals) };
}

async function describeOrders(saleId: string): Promise<Live['orders']> {
  const groups = await countOrders(saleId);
  const count = (isCounted: (group: (typeof groups)[number]) => boolean) =>
    groups.filter(isCounted).reduce((sum, group) => sum + group.count, 0);
  const ofStatus = (status: string) => count((group) => group.status === status);
  return {
    pendingPayment: ofStatus('pending_payment'),
    paid: ofStatus('paid'),
    cancelled: ofStatus('cancelled'),
    failed: ofStatus('failed'),
    expired: count(({ status, endReason }) => status === 'cancelled' && endReason === 'expired'),
    refunded: ofStatus('refunded'),
    written: count(() => true),
  };
}

async function countHits(saleId: string): Promise<Live['riskRules']> {
  return db().$queryRaw<Live['riskRules']>`
    SELECT r.id AS "ruleId", r.name, count(*)::int AS hits
    FROM risk_hits h JOIN risk_rules r ON r.id = h.rule_id
    WHERE h.sale_id = ${saleId} AND NOT h.dry_run
    GROUP BY r.id, r.name ORDER BY hits DESC, r.name`;
}

const byFrequency = (refusals: Refusals): Live['refusals'] =>
  Object.entries(refusals)
    .map(([code, count]) => ({ code: code as ErrorCode, count }))
    .sort((a, b) => b.count - a.count);
