import { db } from '@/lib/db/client';
import { createLoadUsers, loadUserId } from '@/lib/load-test/create-load-users';
import { reconcileSale } from '@/lib/reconcile/reconcile-sale';
import { verifySale } from '@/lib/verify/verify-sale';
import { recruit } from '@/tools/harness/recruit';
import { signIn } from '@/tools/harness/sign-in';
import { median, percentile } from '@/tools/harness/stats';
import { type BenchContext, type Figure, PLENTY, skipUsers } from '../bench-context';
import { msText, whole } from '../report/format';
import { ratioRow, singleRow } from '../report/rows';
import type { Row } from '../report/types';
import { signedInCookies } from '../stack/people';
import { type BenchSale, benchMerchant, openBenchSale } from '../stack/sales';
import { fillOrders } from './scale/fill-orders';
import { fillDays, fillRefusals, fillSales } from './scale/fill-rest';
import { type Question, questionsOf } from './scale/questions';

/** Noise of two runs one after the other, and what grows with the logarithm. */
const FLAT = 1.5;
const SECONDS_PER_MILLION = 60;
const MILLION = 1_000_000;
const SHOPPERS = 200;
const WARM_UP = 20;
/** Time to spend on one question, ms: slow ones are asked less often. */
const MOST_MS = 10_000;

type Size = { orders: number; sales: number; days: number };
const NOTHING: Size = { orders: 0, sales: 0, days: 0 };
const SMALL: Size = { orders: 1_000, sales: 1, days: 1 };
const QUICK: Size = { orders: 50_000, sales: 1_000, days: 10 };
const LARGE: Size = { orders: MILLION, sales: 5_000, days: 30 };

/**
 * Measures what shoppers and staff ask, one request after the other, while the shop is small and again when it has
 * sold a million orders; then how long verification and reconciliation of that take.
 */
export const measureScale: Figure = async (context) => {
  const { isQuick, say, atEnd } = context;
  const large = isQuick ? QUICK : LARGE;
  const sale = await openBenchSale(PLENTY);
  atEnd(() => db().$executeRaw`DELETE FROM sales WHERE slug LIKE 'bench-scale-%'`);
  const questions = await prepareQuestions(context, sale);
  // Skips the users who will have bought: this figure's purchases need others.
  skipUsers(context, large.orders);
  await grow(sale, NOTHING, SMALL);
  say('measuring the small shop');
  const before = await askAll(questions, isQuick);
  say(`filling it with ${whole(large.orders)} orders`);
  await grow(sale, SMALL, large);
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
  const tail = (times: ReadonlyMap<string, readonly number[]>) =>
    questions.map(({ name }) => `${name} ${msText(percentile(times.get(name) ?? [0], 95))}`).join(', ');
  return {
    rows: [...rows, ...(await checkAll(sale.saleId))],
    samples: {},
    notes: [
      `small: ${sizeText(SMALL)}; large: ${sizeText(large)}. One request after the other, median; the live view and the worker's figures are counted in the bench's own process.`,
      'what has no target counts the orders of a sale, and grows with it by design: who was how far ahead, and the figures that a worker counts each 15 s. The live view counts those of a large sale beside its answer.',
      `95th percentiles, small: ${tail(before)}.`,
      `95th percentiles, large: ${tail(after)}.`,
    ],
  };
};

const sizeText = ({ orders, sales, days }: Size) =>
  `${whole(orders)} buyers, orders and refusals, ${whole(sales)} more sales, ${days} days of audit log`;

/** Signs in those who ask; among them the first of the buyers, who was also refused once. */
async function prepareQuestions({ product, takeUsers }: BenchContext, sale: BenchSale): Promise<Question[]> {
  await createLoadUsers(1);
  const userId = loadUserId(1);
  const [admin] = await recruit([{ name: 'Admin' }]);
  await db().user.update({ where: { id: admin?.userId }, data: { role: 'admin' } });
  return questionsOf({
    port: product.port,
    sale,
    shoppers: await signedInCookies(SHOPPERS),
    buyer: { userId, cookie: await signIn(userId) },
    merchant: await signIn((await benchMerchant()).userId),
    admin: await signIn(admin?.userId ?? ''),
    takeUsers,
  });
}

async function grow(sale: BenchSale, from: Size, to: Size): Promise<void> {
  await fillSales(sale, from.sales + 1, to.sales);
  await fillDays(sale, from.days + 1, to.days);
  await fillOrders(sale, { from: from.orders + 1, to: to.orders, days: to.days });
  await fillRefusals(sale, from.orders + 1, to.orders, to.days);
  // As autovacuum does some minutes later.
  await db().$executeRawUnsafe('VACUUM ANALYZE');
}

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
async function checkAll(saleId: string): Promise<Row[]> {
  const orders = await db().order.count({ where: { saleId } });
  const timed = async (name: string, work: () => Promise<{ isOk: boolean; why: unknown }>) => {
    const from = performance.now();
    const { isOk, why } = await work();
    const seconds = (performance.now() - from) / 1_000;
    if (!isOk) throw new Error(`${name}: ${JSON.stringify(why)}`);
    return singleRow({
      figure: `${name}, s per million orders`,
      measured: `${seconds.toFixed(1)} s for ${whole(orders)}`,
      value: (seconds / orders) * MILLION,
      target: { atMost: SECONDS_PER_MILLION },
      text: (each) => `${each.toFixed(1)} s`,
    });
  };
  return [
    await timed('verify', async () => {
      const verification = await verifySale(saleId);
      return { isOk: verification?.ok === true, why: verification?.invariants.filter(({ ok }) => !ok) };
    }),
    await timed('reconcile', async () => {
      const result = await reconcileSale(saleId, { cause: 'demand', isRepairing: false });
      return { isOk: result.status === 'done' && result.report.ok, why: result };
    }),
  ];
}
