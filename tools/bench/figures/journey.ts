import type { BenchContext } from '../bench-context';
import { travelTogether } from '../load/travel-together';
import { msText, whole } from '../report/format';
import { measuredOnce } from '../report/ratio-row';
import { atMost, type FigureReport, type Row } from '../report/types';
import { signedInCookies } from '../stack/people';
import { dropBenchSale, openBenchSale } from '../stack/sales';
import { percentile } from '../stats';
import { awaitOrders } from './await-orders';

const ARRIVE_WITHIN_MS = 10_000;
/** The last one comes this long before the start. */
const LAST_MS = 500;
const PRESS_WITHIN_MS = 1_000;
/** From the publishing of the sale to the first arrival. */
const LEAD_MS = 3_000;
const TIMEOUT_MS = 60_000;
const PRESS_TARGET_MS = 500;
const SEEN_TARGET_MS = 150;
const WRITTEN_TARGET_MS = 2_000;

type Crowd = { people: number; units: number; webs: number };
const FULL: readonly Crowd[] = [
  { people: 10_000, units: 1_000, webs: 1 },
  { people: 20_000, units: 5_000, webs: 2 },
];
const QUICK: readonly Crowd[] = [{ people: 1_000, units: 100, webs: 1 }];

/** Measures the whole way of a crowd: page, visit, entry, events, the press within the first second, the order. */
export async function measureJourney(context: BenchContext): Promise<FigureReport> {
  const { product, isQuick } = context;
  const reports: Omit<FigureReport, 'name'>[] = [];
  const writers = await product.startWriters();
  try {
    for (const crowd of isQuick ? QUICK : FULL) {
      if (crowd.webs === 1) {
        reports.push(await sendCrowd(context, crowd, product.fastPath.port));
        continue;
      }
      const web = await product.startOwnWeb('journey', { WEB_CONCURRENCY: String(crowd.webs) });
      try {
        reports.push(await sendCrowd(context, crowd, web.port));
      } finally {
        await web.stop();
      }
    }
  } finally {
    await writers.stop();
  }
  return {
    name: 'journey',
    rows: reports.flatMap(({ rows }) => rows),
    samples: Object.assign({}, ...reports.map(({ samples }) => samples)),
    notes: reports.flatMap(({ notes }) => notes),
  };
}

async function sendCrowd(
  { root, product, generator }: BenchContext,
  { people, units, webs }: Crowd,
  port: number,
): Promise<Omit<FigureReport, 'name'>> {
  const cookies = await signedInCookies(people);
  const startsAt = Date.now() + LEAD_MS + ARRIVE_WITHIN_MS;
  const sale = await openBenchSale(units, { startsAt });
  try {
    const orders = awaitOrders(sale.saleId, units, TIMEOUT_MS);
    const { saleId, slug } = sale;
    const result = await travelTogether(
      generator,
      { root, env: product.env },
      {
        port,
        saleId,
        slug,
        startsAt,
        arriveWithinMs: ARRIVE_WITHIN_MS,
        lastMs: LAST_MS,
        pressWithinMs: PRESS_WITHIN_MS,
        cookies,
      },
    );
    const { written, lastAtMs } = await orders;
    // The units are gone within the first second, in which everybody presses.
    const writtenMs = written === units ? lastAtMs - (startsAt + PRESS_WITHIN_MS) : Number.POSITIVE_INFINITY;
    const { readyBefore, pressed, followed, errors, busy } = result;
    const [arriveMs, seenMs, pressMs] = [result.arriveMs, result.seenMs, result.pressMs].map(spreadOf) as [
      Spread,
      Spread,
      Spread,
    ];
    const what = `journey, ${whole(people)} people, ${whole(units)} units`;
    const isExact = pressed[202] === units && (pressed[202] ?? 0) + (pressed[409] ?? 0) === people;
    const row = (figure: string, p: Spread, target: number): Row => ({
      figure: `${what}: ${figure}`,
      measured: `p50 ${msText(p.p50)}, p99 ${msText(p.p99)}, max ${msText(p.max)}`,
      result: msText(p.p99),
      target: `≤ ${target} ms`,
      verdict: atMost(p.p99, target),
      ...measuredOnce(p.p99, 'less'),
    });
    return {
      samples: {
        [`${people}: pressP99`]: [pressMs.p99],
        [`${people}: seenP99`]: [seenMs.p99],
        [`${people}: arriveP99`]: [arriveMs.p99],
        [`${people}: writtenMs`]: [writtenMs],
      },
      rows: [
        {
          figure: `${what}: a token before the start`,
          measured: `page, visit and entry p50 ${msText(arriveMs.p50)}, p99 ${msText(arriveMs.p99)}`,
          result: `${whole(readyBefore)} of ${whole(people)}`,
          target: 'all',
          verdict: readyBefore === people ? 'met' : 'missed',
        },
        row('the start seen after the instant, p99', seenMs, SEEN_TARGET_MS),
        row('from the press to the answer, p99', pressMs, PRESS_TARGET_MS),
        {
          figure: `${what}: presses answered`,
          measured: listOf(pressed),
          result: isExact ? 'exact' : 'not exact',
          target: `${whole(units)} accepted, all answered`,
          verdict: isExact ? 'met' : 'missed',
        },
        {
          figure: `${what}: last order in Postgres after the first second`,
          measured: `${whole(followed)} seen by their shoppers`,
          result: Number.isFinite(writtenMs) ? msText(Math.max(0, writtenMs)) : 'never',
          target: `≤ ${whole(WRITTEN_TARGET_MS)} ms`,
          verdict: atMost(writtenMs, WRITTEN_TARGET_MS),
          ...measuredOnce(writtenMs, 'less'),
        },
        {
          figure: `${what}: answers that no shopper should get`,
          measured: listOf(errors),
          result: whole(Object.values(errors).reduce((sum, count) => sum + count, 0)),
          target: '0',
          verdict: Object.keys(errors).length === 0 ? 'met' : 'missed',
        },
      ],
      notes: [
        `${whole(people)} people, one run, ${webs === 1 ? 'one web process' : `${webs} web processes`}; they arrive evenly from ${ARRIVE_WITHIN_MS / 1_000} to ${LAST_MS / 1_000} s before the start, fifty to an address, with the scripts in their caches, and stay five seconds after their answer; worker and executor run. The busiest process of the load was ${Math.round(busy * 100)} % busy.`,
      ],
    };
  } finally {
    await dropBenchSale(sale);
  }
}

type Spread = { p50: number; p99: number; max: number };
function spreadOf(values: readonly number[]): Spread {
  const of = (percent: number) => (values.length > 0 ? percentile(values, percent) : Number.NaN);
  return { p50: of(50), p99: of(99), max: of(100) };
}

const listOf = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${whole(count)} × ${name}`)
    .join(', ') || 'none';
