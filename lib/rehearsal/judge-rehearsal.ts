import type { RehearsalCheck, RehearsalReport } from '@/lib/contract/shapes/rehearsal';
import type { SaleInfo, StockTiers } from '@/lib/contract/shapes/sale';
import { UNLIMITED } from '@/lib/stock/types';
import type { PlannedShopper } from './plan-crowd';
import type { Answered } from './run-crowd';

/** A press that takes longer feels broken to the shopper. */
const SLOW_MS = 500;

/**
 * The shadow's start, by the clock of Redis, and its books: right after the crowd, and after all have paid or run out
 * of time.
 */
export type Books = {
  startsAt: number;
  afterCrowd: {
    stock: StockTiers & { variants?: readonly number[] };
    inMessages: number;
    mostPerUser: number;
  };
  afterPayment: StockTiers;
  paidUnits: number;
  releasedUnits: number;
};

type Sold = Pick<SaleInfo, 'totalStock' | 'limitPerUser' | 'variants'>;

/** Summarises a rehearsal in numbers and says whether the sale, as it is set up, is ready for real shoppers. Pure. */
export function judgeRehearsal(
  sale: Sold,
  crowd: readonly PlannedShopper[],
  answered: readonly Answered[],
  books: Books,
): RehearsalReport {
  const answers: Record<string, number> = {};
  const limited = { user: 0, ip: 0, device: 0, interface: 0 };
  for (const { status, limit } of answered) {
    answers[status] = (answers[status] ?? 0) + 1;
    if (limit) limited[limit] += 1;
  }
  const accepted = answered.filter(({ status }) => status === 'accepted');
  const sold = unitsOf(accepted);
  const latencies = answered.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b);
  const quantile = (share: number) =>
    Math.round(latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0);
  const latencyMs = { p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99), max: quantile(1) };
  const isSoldOut = sale.totalStock !== UNLIMITED && sold === sale.totalStock;
  const checks = check(sale, crowd, answered, books, { sold, p99: latencyMs.p99 });
  return {
    isGo: checks.every(({ ok }) => ok),
    shoppers: crowd.length,
    presses: answered.length,
    perSecond: busiestSecond(answered),
    latencyMs,
    answers,
    limited,
    units: { total: sale.totalStock, sold, released: books.releasedUnits },
    soldOutAfterMs: isSoldOut ? Math.round(Math.max(...accepted.map(({ answeredMs }) => answeredMs))) : null,
    checks,
  };
}

function check(
  sale: Sold,
  crowd: readonly PlannedShopper[],
  answered: readonly Answered[],
  { startsAt, afterCrowd, afterPayment, paidUnits, releasedUnits }: Books,
  { sold, p99 }: { sold: number; p99: number },
): RehearsalCheck[] {
  const { stock, inMessages, mostPerUser } = afterCrowd;
  const total = sale.totalStock;
  const addsUp = (tiers: StockTiers) =>
    tiers.held >= 0 &&
    tiers.sold >= 0 &&
    (total === UNLIMITED || (tiers.available >= 0 && tiers.available + tiers.held + tiers.sold === total));
  const isEachVariantRight = sale.variants.every((variant, at) => {
    const taken = answered.filter(({ status, press }) => status === 'accepted' && press.variant === at + 1);
    const left = stock.variants?.[at] ?? Number.NaN;
    return left >= 0 && left + unitsOf(taken) === variant.stock;
  });
  const early = answered.filter(({ acceptedAt }) => acceptedAt !== undefined && acceptedAt < startsAt);
  const scripts = new Set(crowd.filter(isScript).map(({ userId }) => userId));
  const refused = answered.filter(
    ({ status, press }) => status === 'rate_limited' && !scripts.has(press.userId) && press.atMs >= 0,
  );
  const ofToken = new Map<string, Set<string>>();
  for (const { press, orderNo } of answered) {
    if (orderNo) ofToken.set(press.jti, (ofToken.get(press.jti) ?? new Set()).add(orderNo));
  }
  const twice = [...ofToken.values()].filter((orderNos) => orderNos.size > 1).length;
  const most = sale.limitPerUser;
  return [
    {
      id: 'tiers',
      ok: addsUp(stock) && isEachVariantRight && (total === UNLIMITED || sold <= total),
      figures: { available: stock.available, held: stock.held, sold: stock.sold, accepted: sold },
    },
    {
      id: 'messages',
      ok: inMessages === sold && stock.held === sold,
      figures: { accepted: sold, messages: inMessages },
    },
    { id: 'limit_per_user', ok: mostPerUser <= most, figures: { most: mostPerUser, limit: most } },
    { id: 'one_answer', ok: twice === 0, figures: { tokens: ofToken.size, twice } },
    { id: 'not_before_start', ok: early.length === 0, figures: { accepted: early.length } },
    {
      id: 'after_payment',
      ok: addsUp(afterPayment) && afterPayment.held === 0 && afterPayment.sold === paidUnits,
      figures: { paid: paidUnits, sold: afterPayment.sold, released: releasedUnits, held: afterPayment.held },
    },
    {
      id: 'honest_refused',
      ok: refused.length === 0,
      figures: { refused: new Set(refused.map(({ press }) => press.userId)).size, shoppers: crowd.length },
    },
    { id: 'latency', ok: p99 <= SLOW_MS, figures: { p99, most: SLOW_MS } },
  ];
}

const unitsOf = (answered: readonly Answered[]) =>
  answered.reduce((sum, { press }) => sum + press.quantity, 0);

const isScript = ({ presses }: PlannedShopper) => presses.some(({ knowsGate }) => !knowsGate);

function busiestSecond(answered: readonly Answered[]): number {
  const at = answered.map(({ answeredMs }) => answeredMs).sort((a, b) => a - b);
  let most = 0;
  for (let first = 0, last = 0; last < at.length; last += 1) {
    while ((at[last] ?? 0) - (at[first] ?? 0) >= 1_000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
