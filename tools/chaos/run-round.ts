import { setTimeout as sleep } from 'node:timers/promises';
import { db } from '@/lib/db/client';
import { stocksOf } from '@/lib/slice/stock-ids';
import { createRandom, type Random } from '@/tools/harness/random';
import type { Stack } from '@/tools/harness/stack/start-stack';
import { checkCampaign } from './check/check-campaign';
import { compareBooks } from './check/compare-books';
import { readBooks } from './check/read-books';
import { readTrail } from './check/read-trail';
import type { Case, Violation } from './check/types';
import { verifyRound } from './check/verify-round';
import { drain, type Resting } from './drain';
import { drawFaults } from './faults/draw-faults';
import { drawOpening } from './faults/draw-opening';
import { type InjectedFault, injectFaults } from './faults/inject-faults';
import type { FaultName } from './faults/kinds';
import { Ledger } from './load/ledger';
import { look } from './load/look';
import { planMerchant, publish, runMerchant } from './load/merchant';
import { planShopper } from './load/plan-shopper';
import { createProvider } from './load/provider';
import { type Shop, visit } from './load/shopper';
import { drawKind, KIND_TERMS, type RoundKind } from './round-kinds';
import { type ChaosSale, draftChaosSales } from './sale';

type RoundOptions = {
  seed: number;
  loadMs: number;
  shoppers: number;
  /** The kinds of sale to draw from. */
  kinds: readonly RoundKind[];
  /** How many faults to draw, and the faults to draw from. */
  faults: { count: number; names: readonly FaultName[] };
};

export type RoundReport = {
  seed: number;
  kind: RoundKind;
  /** Two of a campaign, else one; the faults are aimed at the first. */
  saleIds: string[];
  /** Over how many slices the sale was split, and which one the faults were aimed at. */
  slices: number;
  hitSlice: number;
  faults: InjectedFault[];
  /** Processes that ended by themselves, in ms from the beginning of the load. */
  crashes: { atMs: number; name: string; how: string }[];
  /** Number of answers to purchases by status and code. */
  answers: Record<string, number>;
  /** Number of answers about places in lines and on waitlists. */
  places: Record<string, number>;
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

/** On a cluster, where a slice has a server to itself or shares one. */
const SLICES = [1, 3, 4];
const PAYMENT_WINDOW_SEC = 6;
/** After the last arrival shoppers go on for this long, enough to pay and to see an order cancelled. */
const AFTER_LOAD_MS = 10_000;
/** Shoppers who came before the start all press the button at the start; they begin this long before it. */
const EARLY_MS = 300;
/** People come to a draw within this part of the time until its start: some are too late. */
const DRAW_ARRIVALS = 1.1;
/** The sweep runs every minute, and an interrupted call is tried again after up to 15 s. */
const DRAIN_TIMEOUT_MS = 300_000;
const MOST_TRAILS = 5;
const RETRY_MS = 200;
const LAST_LOOK_MS = 45_000;
/** A sale with a line is published so long before the load: a busy machine needs seconds. */
const PUBLISHING_MS = 8_000;

/**
 * Runs one sale under faults, or two of one campaign, from the opening to the comparison of all books.
 * @throws only when the round could not be carried out.
 */
export async function runRound(stack: Stack, options: RoundOptions): Promise<RoundReport> {
  const { seed, loadMs, shoppers, faults, kinds } = options;
  const { webs } = stack;
  const random = createRandom(seed);
  const began = Date.now();
  const kind = drawKind(random.fork('kind'), kinds);
  const { hasLine, canBeSplit, campaignLimit } = KIND_TERMS[kind];
  const opening = drawOpening(random.fork('opening'), faults.names, hasLine);
  const isPublished = opening.opensAtMs === null || hasLine;
  const sales = await draftChaosSales({
    kind,
    slices: stack.cluster && canBeSplit ? random.fork('slices').pick(SLICES) : 1,
    paymentWindowSec: PAYMENT_WINDOW_SEC,
    users: shoppers,
    opensInMs: (opening.opensAtMs ?? -1_000) + (hasLine ? PUBLISHING_MS : 0),
  });
  const stalls = sales.map((sale, at) => {
    const name = (part: string) => (at === 0 ? part : `${part} ${at + 1}`);
    const ledger = new Ledger();
    const provider = createProvider(webs, ledger, random.fork(name('provider')));
    const desk = {
      sale,
      webs,
      ledger,
      random: random.fork(name('desk')),
      closesAt: Number.POSITIVE_INFINITY,
    };
    const acts = planMerchant(random.fork(name('merchant')), loadMs, sale.stock);
    return { sale, webs, ledger, provider, desk, acts };
  });
  const [{ saleId, slices, startsAt }] = sales as [(typeof sales)[number]];
  const hitSlice = random.fork('hit slice').int(0, slices - 1);
  const publishAll = () => Promise.all(stalls.map(({ desk }) => publish(desk)));
  if (isPublished) await publishAll();
  // As long before the start as was drawn, however long publishing took.
  if (hasLine) await sleep(Math.max(0, startsAt - (opening.opensAtMs ?? 0) - Date.now()));
  const from = performance.now();
  const elapsedMs = () => Math.round(performance.now() - from);
  const startedAt = Date.now();
  const closesAt = startedAt + loadMs + AFTER_LOAD_MS;
  const shops: Shop[] = stalls.map((stall) => ({ ...stall, closesAt }));
  const published = isPublished ? Promise.resolve() : publishAll();
  const epochs = published.then(() => Promise.all(sales.map(readEpoch)));

  const visits = Array.from({ length: shoppers }, async (_, at) => {
    const own = random.fork(`shopper ${at + 1}`);
    const plan = planShopper(own, at + 1, loadMs);
    await sleep(arrivalOf(kind, plan.arrivesAtMs / loadMs, { loadMs, opensAtMs: opening.opensAtMs ?? 0 }));
    await published;
    await visit(shops, plan, own);
  });
  const plan = drawFaults(random.fork('faults'), { ...faults, loadMs, fixed: opening.faults });
  const [injected] = await Promise.all([
    injectFaults(stack, stocksOf(saleId, slices)[hitSlice] as string, plan, elapsedMs),
    ...stalls.map(({ desk, acts }) =>
      published.then(() => runMerchant({ ...desk, closesAt }, acts, elapsedMs)),
    ),
    ...visits,
  ]);
  const drainFrom = performance.now();
  const resting: Resting[] = stalls.map(({ sale, provider }) => ({
    saleId: sale.saleId,
    pendingCallbacks: provider.pending,
  }));
  const open = await drain(resting, DRAIN_TIMEOUT_MS);
  const drainMs = Math.round(performance.now() - drainFrom);
  for (const { provider } of stalls) provider.close();
  await Promise.all(shops.map((shop) => askUndecided(shop, random.fork('last look'))));

  const violations: Violation[] = open.length
    ? [{ rule: 'comes to rest', problem: open.join(', '), orderNos: await findResting(sales) }]
    : [];
  violations.push(...(await verifyRound(sales.map((sale) => sale.saleId))));
  const redisLostAt = injected
    .filter(({ name }) => name === 'empty-redis' || name === 'old-redis')
    .map(({ undoneAtMs }) => startedAt + undoneAtMs);
  const cases: Case[] = [];
  for (const [at, { sale, ledger }] of stalls.entries()) {
    const { stock, limitPerUser, startsAt } = sale;
    const epoch = (await epochs)[at] as number;
    const facts = { kind, stock, limitPerUser, startsAt, redisLostAt, epoch };
    cases.push({ ledger, books: await readBooks(sale.saleId), facts });
  }
  violations.push(...cases.flatMap(compareBooks));
  if (campaignLimit !== null) violations.push(...checkCampaign(cases, campaignLimit));

  const concerned = [...new Set(violations.flatMap(({ orderNos }) => orderNos))].slice(0, MOST_TRAILS);
  const trails: string[][] = [];
  for (const orderNo of concerned) {
    const at = cases.findIndex(({ books }) => books.orders.some((order) => order.orderNo === orderNo));
    const stall = stalls[Math.max(0, at)] as (typeof stalls)[number];
    trails.push(await readTrail(stall.sale.saleId, orderNo, stall.ledger));
  }
  const ledgers = stalls.map(({ ledger }) => ledger);
  const orders: Record<string, number> = {};
  for (const { status } of cases.flatMap(({ books }) => books.orders))
    orders[status] = (orders[status] ?? 0) + 1;
  return {
    seed,
    kind,
    saleIds: sales.map((sale) => sale.saleId),
    slices,
    hitSlice,
    faults: injected,
    answers: sum(ledgers.map((ledger) => ledger.countAnswers())),
    places: sum(ledgers.map((ledger) => ledger.countPlaces())),
    orders,
    crashes: stack.crashes
      .filter(({ at }) => at >= began)
      .map(({ at, name, how }) => ({ atMs: at - startedAt, name, how })),
    callbacks: ledgers.reduce((count, ledger) => count + ledger.callbacks.length, 0),
    charges: ledgers.reduce((count, ledger) => count + ledger.charges.size, 0),
    admin: ledgers
      .flatMap((ledger) => ledger.merchant)
      .map(({ askedAt, answeredAt, act, delta, detail }) => ({
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

/** Reads which loading of its stock a sale has, as soon as the database tells. */
async function readEpoch({ saleId }: ChaosSale): Promise<number> {
  for (;;) {
    const row = await db()
      .sale.findUnique({ where: { id: saleId }, select: { epoch: true } })
      .catch(() => null);
    if (row) return row.epoch;
    await sleep(RETRY_MS);
  }
}

/** When a shopper comes, in ms from the beginning of the load. @param part of the load, 0 … 1 */
function arrivalOf(
  kind: RoundKind,
  part: number,
  { loadMs, opensAtMs }: { loadMs: number; opensAtMs: number },
): number {
  if (kind === 'draw') return part * opensAtMs * DRAW_ARRIVALS;
  // A line is there to be joined early. Elsewhere an early shopper waits and presses the button when the sale starts.
  return KIND_TERMS[kind].hasLine ? part * loadMs : Math.max(part * loadMs, opensAtMs - EARLY_MS);
}

/**
 * Asks once more for every purchase that a queue had, now that all is at rest. For 30 s after a rebuild nobody is told that
 * there is no such order.
 */
async function askUndecided(shop: Shop, random: Random): Promise<void> {
  const asked = new Map(
    shop.ledger.purchases.flatMap(({ outcome, userId }): [string, string][] =>
      outcome.kind === 'undecided' ? [[outcome.orderNo, userId]] : [],
    ),
  );
  const until = Date.now() + LAST_LOOK_MS;
  for (const [orderNo, userId] of asked)
    while (!(await look({ ...shop, random, userId }, null, orderNo)) && Date.now() < until)
      await sleep(RETRY_MS);
}

function sum(counts: readonly Record<string, number>[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const one of counts)
    for (const [name, count] of Object.entries(one)) all[name] = (all[name] ?? 0) + count;
  return all;
}

async function findResting(sales: readonly { saleId: string }[]): Promise<string[]> {
  const books = await Promise.all(sales.map(({ saleId }) => readBooks(saleId)));
  return books
    .flatMap(({ orders }) => orders)
    .filter(({ status }) => status === 'pending_payment')
    .map(({ orderNo }) => orderNo);
}
