import { verifyChain } from '@/lib/audit/verify-chain';
import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { createLoadUsers, loadUserId } from '@/lib/load-test/create-load-users';
import { reconcileSale } from '@/lib/reconcile/reconcile-sale';
import { verifySale } from '@/lib/verify/verify-sale';
import { verifyStatements } from '@/lib/verify/verify-statements';
import { signIn } from '@/tools/harness/sign-in';
import type { BenchContext } from '../bench-context';
import { msText, whole } from '../report/format';
import { measuredOnce, ratioRow } from '../report/ratio-row';
import { atMost, type FigureReport, type Row } from '../report/types';
import { signedInCookies } from '../stack/people';
import { benchMerchant, dropBenchSale, openBenchSale } from '../stack/sales';
import { median, percentile } from '../stats';
import { fillOrders } from './scale/fill-orders';
import { fillDays, fillRefusals, fillSales } from './scale/fill-rest';
import { type Question, questionsOf } from './scale/questions';

/** Noise of two runs one after the other, and what grows with the logarithm. */
const FLAT = 1.5;
const SECONDS_PER_MILLION = 60;
const MILLION = 1_000_000;
const STOCK = 1_000_000_000;
const SHOPPERS = 200;
const WARM_UP = 20;
/** Time to spend on one question, ms: slow ones are asked less often. */
const MOST_MS = 10_000;

type Size = { orders: number; sales: number; days: number };
const SMALL: Size = { orders: 1_000, sales: 1, days: 1 };
const QUICK: Size = { orders: 50_000, sales: 1_000, days: 10 };
const LARGE: Size = { orders: MILLION, sales: 5_000, days: 30 };

/**
 * Measures what shoppers and staff ask, one request after the other, while the shop is small and again when it has
 * sold a million orders; then how long verification and reconciliation of that take.
 */
export async function measureScale(context: BenchContext): Promise<FigureReport> {
  const { isQuick, say, product, takeUsers } = context;
  const large = isQuick ? QUICK : LARGE;
  const sale = await openBenchSale(STOCK);
  const shoppers = await signedInCookies(SHOPPERS);
  const buyer = await signInBuyer();
  const questions = questionsOf({
    port: product.fastPath.port,
    sale,
    shoppers,
    buyer,
    merchant: await signIn((await benchMerchant()).userId),
    admin: await signIn(await makeAdmin()),
    takeUsers,
  });
  // Skips the users who will have bought: this figure's purchases need others.
  takeUsers(Math.max(0, large.orders + 1 - takeUsers(0)));
  const fill = async (from: Size | null, to: Size) => {
    await fillSales(sale, (from?.sales ?? 0) + 1, to.sales);
    await fillDays(sale, (from?.days ?? 0) + 1, to.days);
    await fillOrders(sale, { from: (from?.orders ?? 0) + 1, to: to.orders, days: to.days });
    await fillRefusals(sale, (from?.orders ?? 0) + 1, to.orders, to.days);
    // As autovacuum does some minutes later.
    await db().$executeRawUnsafe('VACUUM ANALYZE');
  };
  try {
    await fill(null, SMALL);
    say('measuring the small shop');
    const before = await askAll(questions, isQuick);
    say(`filling it with ${whole(large.orders)} orders`);
    await fill(SMALL, large);
    say('measuring the large shop');
    const after = await askAll(questions, isQuick);
    const rows = questions.map(({ name, isCounted }) =>
      ratioRow({
        figure: `${name}, ms, large : small`,
        ours: [median(after.get(name) ?? [])],
        theirs: [median(before.get(name) ?? [])],
        target: isCounted ? 'printed' : { atMost: FLAT },
        text: (value) => value.toFixed(2),
      }),
    );
    say('verifying');
    const checks = await checkAll(sale.saleId);
    const tail = (times: ReadonlyMap<string, readonly number[]>) =>
      questions.map(({ name }) => `${name} ${msText(percentile(times.get(name) ?? [0], 95))}`).join(', ');
    return {
      name: 'scale',
      rows: [...rows, ...checks.rows],
      samples: {
        ...Object.fromEntries([...before].map(([name, times]) => [`${name}, small`, middleAndTail(times)])),
        ...Object.fromEntries([...after].map(([name, times]) => [`${name}, large`, middleAndTail(times)])),
        ...checks.samples,
      },
      notes: [
        `small: ${sizeText(SMALL)}; large: ${sizeText(large)}. One request after the other, median; the live view and the worker's figures are counted in the bench's own process.`,
        'what has no target counts the orders of a sale, and grows with it by design: who was how far ahead, and the figures that a worker counts each 15 s. The live view counts those of a large sale beside its answer.',
        `95th percentiles, small: ${tail(before)}.`,
        `95th percentiles, large: ${tail(after)}.`,
        ...checks.notes,
      ],
    };
  } finally {
    await dropBenchSale(sale);
    await db().$executeRaw`DELETE FROM sales WHERE slug LIKE 'bench-scale-%'`;
  }
}

/** The single requests would only show how uneven they are. */
const middleAndTail = (times: readonly number[]) => [median(times), percentile(times, 95)];

const sizeText = ({ orders, sales, days }: Size) =>
  `${whole(orders)} buyers, orders and refusals, ${whole(sales)} more sales, ${days} days of audit log`;

/** Asks each question again and again for a while. @returns the times of each, ms */
async function askAll(questions: readonly Question[], isQuick: boolean): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>();
  for (const { name, ask } of questions) {
    const taken: number[] = [];
    const until = performance.now() + MOST_MS / (isQuick ? 5 : 1);
    for (let n = 0; n < WARM_UP; n += 1) await ask();
    while (taken.length < (isQuick ? 30 : 100) && (taken.length < 3 || performance.now() < until)) {
      const from = performance.now();
      await ask();
      taken.push(performance.now() - from);
    }
    times.set(name, taken);
  }
  return times;
}

/** Verifies and reconciles the sale, and times it. @throws when a book does not agree */
async function checkAll(saleId: string): Promise<Pick<FigureReport, 'rows' | 'notes' | 'samples'>> {
  const orders = await db().order.count({ where: { saleId } });
  const timed = async (name: string, work: () => Promise<{ isOk: boolean; why: unknown }>) => {
    const from = performance.now();
    const { isOk, why } = await work();
    const seconds = (performance.now() - from) / 1_000;
    if (!isOk) throw new Error(`${name}: ${JSON.stringify(why)}`);
    return seconds;
  };
  const verify = await timed('verify', async () => {
    const verification = await verifySale(saleId);
    return { isOk: verification?.ok === true, why: verification?.invariants.filter(({ ok }) => !ok) };
  });
  const reconcile = await timed('reconcile', async () => {
    const result = await reconcileSale(saleId, { cause: 'demand', isRepairing: false });
    return { isOk: result.status === 'done' && result.report.ok, why: result };
  });
  const statements = await timed('statements', async () => {
    const { ok, detail } = await verifyStatements();
    return { isOk: ok, why: detail };
  });
  const chain = await timed('audit log', async () => {
    const { ok, detail } = await verifyChain();
    return { isOk: ok, why: detail };
  });
  const row = (figure: string, seconds: number): Row => {
    const each = (seconds / orders) * MILLION;
    return {
      figure: `${figure}, s per million orders`,
      measured: `${seconds.toFixed(1)} s for ${whole(orders)}`,
      result: `${each.toFixed(1)} s`,
      target: `≤ ${SECONDS_PER_MILLION} s`,
      verdict: atMost(each, SECONDS_PER_MILLION),
      ...measuredOnce(each, 'less'),
    };
  };
  return {
    rows: [row('verify', verify), row('reconcile', reconcile)],
    samples: { verify: [verify], reconcile: [reconcile] },
    notes: [
      `\`npm run verify\` also reads the providers' statements (${statements.toFixed(1)} s here) and the audit log (${chain.toFixed(1)} s).`,
    ],
  };
}

/** Signs in the first of the buyers, who was also refused once. */
async function signInBuyer(): Promise<{ userId: string; cookie: string }> {
  await createLoadUsers(1);
  const userId = loadUserId(1);
  return { userId, cookie: await signIn(userId) };
}

async function makeAdmin(): Promise<string> {
  const id = newId('user');
  await db().user.create({
    data: { id, email: `${id}@example.com`, name: 'Admin', passwordHash: '!', role: 'admin' },
  });
  return id;
}
