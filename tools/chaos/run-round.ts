import { setTimeout as sleep } from 'node:timers/promises';
import { stocksOf } from '@/lib/slice/numbers/stock-ids';
import { verifySale } from '@/lib/verify/verify-sale';
import { createRandom } from '@/tools/harness/random';
import type { Stack } from '@/tools/harness/stack/start-stack';
import { compareBooks } from './check/compare-books';
import { readBooks } from './check/read-books';
import { readTrail } from './check/read-trail';
import type { Violation } from './check/types';
import { drain } from './drain';
import { drawFaults } from './faults/draw-faults';
import { drawOpening } from './faults/draw-opening';
import { type InjectedFault, injectFaults } from './faults/inject-faults';
import type { FaultName } from './faults/kinds';
import { Ledger } from './load/ledger';
import { planMerchant, publish, runMerchant } from './load/merchant';
import { planShopper } from './load/plan-shopper';
import { createProvider } from './load/provider';
import { visit } from './load/shopper';
import { draftChaosSale } from './sale';

type RoundOptions = {
  seed: number;
  loadMs: number;
  shoppers: number;
  /** How many faults to draw, and the faults to draw from. */
  faults: { count: number; names: readonly FaultName[] };
};

export type RoundReport = {
  seed: number;
  saleId: string;
  /** Over how many slices the sale was split, and which one the faults were aimed at. */
  slices: number;
  hitSlice: number;
  faults: InjectedFault[];
  /** Processes that ended by themselves, in ms from the beginning of the load. */
  crashes: { atMs: number; name: string; how: string }[];
  /** Number of answers to purchases by status and code. */
  answers: Record<string, number>;
  orders: Record<string, number>;
  callbacks: number;
  charges: number;
  /** The merchant's acts, in ms from the beginning of the load. */
  admin: { atMs: number; tookMs: number; act: string; detail: string }[];
  drainMs: number;
  tookMs: number;
  violations: Violation[];
  trails: string[][];
};

const STOCK = 120;
/** On a cluster, where a slice has a server to itself or shares one. */
const SLICES = [1, 3, 4];
const LIMIT_PER_USER = 2;
const PAYMENT_WINDOW_SEC = 6;
/** After the last arrival shoppers go on for this long, enough to pay and to see an order cancelled. */
const AFTER_LOAD_MS = 10_000;
/** Shoppers who came before the start all press the button at the start; they begin this long before it. */
const EARLY_MS = 300;
/** The sweep runs every minute, and an interrupted call is tried again after up to 15 s. */
const DRAIN_TIMEOUT_MS = 150_000;
const MOST_TRAILS = 5;

/**
 * Runs one sale under faults, from its opening to the comparison of all books.
 * @throws only when the round could not be carried out.
 */
export async function runRound(stack: Stack, options: RoundOptions): Promise<RoundReport> {
  const { seed, loadMs, shoppers, faults } = options;
  const { webs } = stack;
  const random = createRandom(seed);
  const began = Date.now();
  const opening = drawOpening(random.fork('opening'), faults.names);
  const isOpen = opening.opensAtMs === null;
  const sale = await draftChaosSale({
    stock: STOCK,
    slices: stack.cluster ? random.fork('slices').pick(SLICES) : 1,
    limitPerUser: LIMIT_PER_USER,
    paymentWindowSec: PAYMENT_WINDOW_SEC,
    users: shoppers,
    opensInMs: opening.opensAtMs ?? -1_000,
  });
  const { saleId, slices } = sale;
  const hitSlice = random.fork('hit slice').int(0, slices - 1);
  const ledger = new Ledger();
  const provider = createProvider(webs, ledger, random.fork('provider'));
  const admin = { sale, webs, ledger, random: random.fork('desk'), closesAt: Number.POSITIVE_INFINITY };
  if (isOpen) await publish(admin);
  const from = performance.now();
  const elapsedMs = () => Math.round(performance.now() - from);
  const startedAt = Date.now();
  const closesAt = startedAt + loadMs + AFTER_LOAD_MS;
  const shop = { sale, webs, ledger, provider, closesAt };
  const published = isOpen ? Promise.resolve() : publish(admin);

  const visits = Array.from({ length: shoppers }, async (_, at) => {
    const own = random.fork(`shopper ${at + 1}`);
    const plan = planShopper(own, at + 1, loadMs);
    // An early shopper waits and presses the button when the sale starts.
    await sleep(Math.max(plan.arrivesAtMs, (opening.opensAtMs ?? 0) - EARLY_MS));
    await published;
    await visit(shop, plan, own);
  });
  const plan = drawFaults(random.fork('faults'), { ...faults, loadMs, fixed: opening.faults });
  const acts = planMerchant(random.fork('merchant'), loadMs);
  const [injected] = await Promise.all([
    injectFaults(stack, stocksOf(saleId, slices)[hitSlice] as string, plan, elapsedMs),
    published.then(() => runMerchant({ ...admin, closesAt }, acts, elapsedMs)),
    ...visits,
  ]);
  const drainFrom = performance.now();
  const open = await drain(saleId, provider.pending, DRAIN_TIMEOUT_MS);
  const drainMs = Math.round(performance.now() - drainFrom);
  provider.close();

  const violations: Violation[] = open.length
    ? [{ rule: 'comes to rest', problem: open.join(', '), orderNos: await findResting(saleId) }]
    : [];
  const verification = await verifySale(saleId);
  for (const { id, ok, detail } of verification?.invariants ?? []) {
    if (!ok) violations.push({ rule: `invariant ${id}`, problem: detail, orderNos: numbersIn(detail) });
  }
  const books = await readBooks(saleId);
  const redisLostAt = injected
    .filter(({ name }) => name === 'empty-redis' || name === 'old-redis')
    .map(({ undoneAtMs }) => startedAt + undoneAtMs);
  const { stock, limitPerUser, startsAt } = sale;
  const facts = { stock, limitPerUser, startsAt, redisLostAt };
  violations.push(...compareBooks({ ledger, books, facts }));

  const concerned = [...new Set(violations.flatMap(({ orderNos }) => orderNos))].slice(0, MOST_TRAILS);
  const trails: string[][] = [];
  for (const orderNo of concerned) trails.push(await readTrail(saleId, orderNo, ledger));
  const orders: Record<string, number> = {};
  for (const { status } of books.orders) orders[status] = (orders[status] ?? 0) + 1;
  return {
    seed,
    saleId,
    slices,
    hitSlice,
    faults: injected,
    answers: ledger.countAnswers(),
    orders,
    crashes: stack.crashes
      .filter(({ at }) => at >= began)
      .map(({ at, name, how }) => ({ atMs: at - startedAt, name, how })),
    callbacks: ledger.callbacks.length,
    charges: ledger.charges.size,
    admin: ledger.merchant.map(({ askedAt, answeredAt, act, delta, detail }) => ({
      atMs: askedAt - startedAt,
      tookMs: answeredAt - askedAt,
      detail,
      act: act === 'restock' || act === 'reprice' ? `${act} ${delta}` : act,
    })),
    drainMs,
    tookMs: Date.now() - began,
    violations,
    trails,
  };
}

/** Returns the order numbers in a sentence of `verify`. */
const numbersIn = (text: string): string[] => text.match(/\b\d{15,20}\b/g) ?? [];

async function findResting(saleId: string): Promise<string[]> {
  const { orders } = await readBooks(saleId);
  return orders.filter(({ status }) => status === 'pending_payment').map(({ orderNo }) => orderNo);
}
