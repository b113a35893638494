import { createLoadUsers } from '@/lib/load-test/create-load-users';
import { verifySale } from '@/lib/verify/verify-sale';
import type { BenchContext } from '../bench-context';
import type { LoadResult } from '../load/types';
import { msText, whole } from '../report/format';
import { measuredOnce, ratioRow } from '../report/ratio-row';
import { atMost, type FigureReport, type Row } from '../report/types';
import { fillBuyers, loadPurchaseScript } from '../stack/fill';
import { type BenchSale, dropBenchSale, openBenchSale } from '../stack/sales';
import { median } from '../stats';
import { awaitOrders } from './await-orders';
import { awaitReleased, awaitWritten, makeDue } from './expire-all';

const ORDERS = { full: 100_000, quick: 10_000 };
const RELEASED_TARGET_MS = 60_000;
const RATE_TARGET = 0.8;
const P99_TARGET_MS = 100;
const TIMEOUT_MS = 180_000;
/** Long enough to move the deadline of all orders. */
const DUE_IN_MS = { full: 15_000, quick: 3_000 };
/** A round beside the release is short, so that there are several before it is over. */
const ROUND_SEC = 1;
const MOST_PER_SECOND = 15_000;
const STEADY_PER_SECOND = 1_000;
const CONNECTIONS = 64;
const RESALE_SEC = 60;

/**
 * Measures unpaid orders of a sale that all reach their deadline at once: how long until every unit is for sale again
 * and sold again, and what another sale's purchases lose meanwhile. Everything the product runs is at work.
 */
export async function measureExpiry(context: BenchContext): Promise<FigureReport> {
  const { servers, product, isQuick, rounds, say } = context;
  const count = isQuick ? ORDERS.quick : ORDERS.full;
  const dueInMs = isQuick ? DUE_IN_MS.quick : DUE_IN_MS.full;
  const perRound = ROUND_SEC * (MOST_PER_SECOND + STEADY_PER_SECOND);
  const steadyLater = (TIMEOUT_MS / 1_000) * STEADY_PER_SECOND;
  await createLoadUsers(Math.max(2 * count, 2 * rounds * perRound + steadyLater));
  const [sale, other] = [await openBenchSale(count), await openBenchSale(1_000_000_000)];
  const beside = createBeside(context, other);
  const writers = await product.startWriters();
  try {
    await fillBuyers(servers.redisUrl, await loadPurchaseScript(), sale, count);
    const { written } = await awaitOrders(sale.saleId, count, TIMEOUT_MS);
    if (written !== count) throw new Error(`${written} of ${count} orders were written`);
    for (let round = 0; round <= rounds; round += 1) await beside.run(round > 0);
    const alone = beside.take();
    await awaitWritten(other.saleId, TIMEOUT_MS);

    const dueAt = await makeDue(sale.saleId, dueInMs);
    say(`${whole(count)} orders are due`);
    await new Promise((resolve) => setTimeout(resolve, dueAt - Date.now()));
    let isOver = false;
    const releasing = awaitReleased(sale.saleId, dueAt + TIMEOUT_MS).finally(() => {
      isOver = true;
    });
    // If a round fails first, nobody waits for it any more.
    releasing.catch(() => {});
    for (let round = 1; !isOver; round += 1) await beside.run(true, round > rounds);
    const { inPostgresAt, inRedisAt, left } = await releasing;
    const during = beside.take();
    const releasedMs = Math.max(inPostgresAt, inRedisAt) - dueAt;
    const resoldMs = left === 0 ? (await sellAgain(context, sale, count)) - dueAt : Number.POSITIVE_INFINITY;
    await awaitWritten(sale.saleId, TIMEOUT_MS);
    const verification = await verifySale(sale.saleId);
    const broken = verification?.invariants.filter(({ ok }) => !ok) ?? [];

    const timed = (figure: string, ms: number, measured: string): Row => ({
      figure: `${whole(count)} unpaid orders due at once: ${figure}`,
      measured,
      result: msOrNever(ms),
      target: `≤ ${whole(RELEASED_TARGET_MS)} ms`,
      verdict: atMost(ms, RELEASED_TARGET_MS),
      ...measuredOnce(ms, 'less'),
    });
    const worst = Math.max(...during.p99);
    return {
      name: 'expiry',
      samples: {
        alone: alone.perSecond,
        during: during.perSecond,
        'alone p99': alone.p99,
        'during p99': during.p99,
        releasedMs: [releasedMs],
        resoldMs: [resoldMs],
      },
      rows: [
        timed(
          'all released',
          releasedMs,
          `Postgres ${msOrNever(inPostgresAt - dueAt)}, ${whole(left)} left in Redis`,
        ),
        timed('all sold again', resoldMs, `${whole(count)} units, by as many others`),
        ratioRow({
          figure: 'purchases accepted/s of another sale meanwhile : before',
          ours: during.perSecond,
          theirs: alone.perSecond,
          target: { atLeast: RATE_TARGET },
        }),
        {
          figure: `purchase latency p99 of another sale meanwhile, at ${whole(STEADY_PER_SECOND)}/s`,
          measured: `worst of ${during.p99.length} rounds; before: median ${msText(median(alone.p99))}`,
          result: msText(worst),
          target: `≤ ${P99_TARGET_MS} ms`,
          verdict: atMost(worst, P99_TARGET_MS),
          ...measuredOnce(worst, 'less'),
        },
        {
          figure: 'what npm run verify says of the sale afterwards',
          measured:
            broken.map(({ id, detail }) => `${id}: ${detail}`).join('; ') || 'all eight promises hold',
          result: `${broken.length} broken`,
          target: 'none broken',
          verdict: verification?.ok ? 'met' : 'missed',
        },
      ],
      notes: [
        'one run. The orders come through outbox, executor and Postgres; then their deadlines are moved to one moment, with the timer they would have had. The statement that cancels an order also tells its shopper, in the order’s history. Worker and executor write the other sale’s orders before and meanwhile.',
      ],
    };
  } finally {
    await writers.stop();
    await Promise.all([dropBenchSale(sale), dropBenchSale(other)]);
  }
}

const msOrNever = (ms: number): string => (Number.isFinite(ms) ? msText(ms) : 'never');

/** Buys from another sale, in rounds: as much as it takes, then at a steady rate for the latency. */
function createBeside({ product, generator }: BenchContext, sale: BenchSale) {
  let nextUser = 1;
  let seen = { perSecond: [] as number[], p99: [] as number[] };
  const base = { port: product.fastPath.port, connections: CONNECTIONS };
  const source = (count: number) => {
    nextUser += count;
    return {
      kind: 'purchases',
      targets: [sale],
      fromUser: nextUser - count,
      count,
      isCyclic: false,
    } as const;
  };
  return {
    /** @param isSteady true: only at a steady rate, so that the orders to be written stay few */
    async run(counts: boolean, isSteady = false) {
      if (!isSteady) {
        const most = source(MOST_PER_SECOND * ROUND_SEC);
        const load = await generator.run({ ...base, loop: 'closed', source: most, seconds: ROUND_SEC });
        if (counts) seen.perSecond.push((accepted(load) / load.elapsedMs) * 1_000);
      }
      // The latency must not be that of writing the orders of the round before.
      await awaitWritten(sale.saleId, TIMEOUT_MS);
      const count = STEADY_PER_SECOND * ROUND_SEC;
      const window = { startAtMs: 0, windowMs: ROUND_SEC * 1_000, count };
      const load = await generator.run({ ...base, loop: 'open', source: source(count), ...window });
      accepted(load);
      if (counts) seen.p99.push(load.latencyMs.p99);
    },
    /** Returns the rounds since the last call. */
    take() {
      const taken = seen;
      seen = { perSecond: [], p99: [] };
      return taken;
    },
  };
}

/** Sells all units of the sale again, to users who have none. @returns when the last one was sold, epoch ms */
async function sellAgain(
  { product, generator }: BenchContext,
  sale: BenchSale,
  count: number,
): Promise<number> {
  const source = { kind: 'purchases', targets: [sale], fromUser: count + 1, count, isCyclic: false } as const;
  const { port } = product.fastPath;
  accepted(
    await generator.run({ loop: 'closed', port, connections: CONNECTIONS, source, seconds: RESALE_SEC }),
  );
  return Date.now();
}

/** @throws when a purchase was not accepted */
function accepted({ answers, sent }: LoadResult): number {
  if (answers[202] === sent) return sent;
  throw new Error(`expected ${sent} times 202, got ${JSON.stringify(answers)}`);
}
