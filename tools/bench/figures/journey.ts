import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '@/tools/harness/stats';
import type { BenchContext, Figure } from '../bench-context';
import { travelTogether } from '../load/travel-together';
import { msText, whole } from '../report/format';
import { factRow, singleRow } from '../report/rows';
import type { FigureReport, Row } from '../report/types';
import { signedInCookies } from '../stack/people';
import type { Memory } from '../stack/product';
import { dropBenchSales, openBenchSale } from '../stack/sales';
import { awaitOrders } from './await-orders';

/** In ms: people arrive within this time before the start, the last one so long before it, and press within that after it. */
const TIMES = { arriveWithinMs: 10_000, lastMs: 500, pressWithinMs: 1_000 };
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

/**
 * Measures the whole way of a crowd: page, visit, entry, events, the press within the first second, the order; and what
 * the crowd takes of the web process's memory.
 */
export const measureJourney: Figure = async (context) => {
  const { product, isQuick, atEnd } = context;
  const reports: Omit<FigureReport, 'name'>[] = [];
  atEnd((await product.startWriters()).stop);
  for (const crowd of isQuick ? QUICK : FULL) {
    const settings = { WEB_CONCURRENCY: String(crowd.webs) };
    const own = crowd.webs === 1 ? null : await product.startWeb('web-journey', settings);
    reports.push(await sendCrowd(context, crowd, own?.port ?? null));
    await own?.stop();
    await dropBenchSales();
  }
  return {
    rows: reports.flatMap(({ rows }) => rows),
    samples: Object.assign({}, ...reports.map(({ samples }) => samples)),
    notes: reports.flatMap(({ notes }) => notes),
  };
};

/** @param port of web processes of its own; null: the one of all figures, whose memory is read */
async function sendCrowd(
  context: BenchContext,
  { people, units, webs }: Crowd,
  port: number | null,
): Promise<Omit<FigureReport, 'name'>> {
  const { product } = context;
  const cookies = await signedInCookies(people);
  const startsAt = Date.now() + LEAD_MS + TIMES.arriveWithinMs;
  const { saleId, slug } = await openBenchSale(units, { startsAt });
  const orders = awaitOrders(saleId, units, TIMEOUT_MS);
  const before = product.readMemory();
  const waiting = delay(startsAt - TIMES.lastMs / 2 - Date.now()).then(product.readMemory);
  const result = await travelTogether(context, {
    port: port ?? product.port,
    saleId,
    slug,
    startsAt,
    ...TIMES,
    cookies,
  });
  const { written, lastAtMs } = await orders;
  // The units are gone within the first second, in which everybody presses.
  const writtenMs =
    written === units ? Math.max(0, lastAtMs - (startsAt + TIMES.pressWithinMs)) : Number.POSITIVE_INFINITY;
  return {
    samples: {
      [`${people}: pressP99`]: [of(result.pressMs, 99)],
      [`${people}: seenP99`]: [of(result.seenMs, 99)],
      [`${people}: arriveP99`]: [of(result.arriveMs, 99)],
      [`${people}: writtenMs`]: [writtenMs],
    },
    rows: [
      ...crowdRows({ people, units, webs }, result, writtenMs),
      ...(port === null ? memoryRows(people, before, await waiting, product.readMemory()) : []),
    ],
    notes: [
      `${whole(people)} people, one run, ${webs === 1 ? 'one web process' : `${webs} web processes`}; they arrive evenly from ${TIMES.arriveWithinMs / 1_000} to ${TIMES.lastMs / 1_000} s before the start, fifty to an address, with the scripts in their caches, and stay five seconds after their answer; worker and executor run. The busiest process of the load was ${Math.round(result.busy * 100)} % busy.`,
    ],
  };
}

/** @param writtenMs time after the first second until the last order was in Postgres */
function crowdRows(
  { people, units }: Crowd,
  result: Awaited<ReturnType<typeof travelTogether>>,
  writtenMs: number,
): Row[] {
  const { readyBefore, pressed, followed, errors } = result;
  const what = `journey, ${whole(people)} people, ${whole(units)} units`;
  const isExact = pressed[202] === units && (pressed[202] ?? 0) + (pressed[409] ?? 0) === people;
  const timed = (figure: string, times: readonly number[], atMost: number): Row =>
    singleRow({
      figure: `${what}: ${figure}`,
      measured: spreadText(times),
      value: of(times, 99),
      target: { atMost },
      text: msText,
    });
  return [
    factRow(
      {
        figure: `${what}: a token before the start`,
        measured: `page, visit and entry ${spreadText(result.arriveMs)}`,
        result: `${whole(readyBefore)} of ${whole(people)}`,
        target: 'all',
      },
      readyBefore === people,
    ),
    timed('the start seen after the instant, p99', result.seenMs, SEEN_TARGET_MS),
    timed('from the press to the answer, p99', result.pressMs, PRESS_TARGET_MS),
    factRow(
      {
        figure: `${what}: presses answered`,
        measured: listOf(pressed),
        result: isExact ? 'exact' : 'not exact',
        target: `${whole(units)} accepted, all answered`,
      },
      isExact,
    ),
    singleRow({
      figure: `${what}: last order in Postgres after the first second`,
      measured: `${whole(followed)} seen by their shoppers`,
      value: writtenMs,
      target: { atMost: WRITTEN_TARGET_MS },
      text: msText,
    }),
    factRow(
      {
        figure: `${what}: answers that no shopper should get`,
        measured: listOf(errors),
        result: whole(Object.values(errors).reduce((sum, count) => sum + count, 0)),
        target: '0',
      },
      Object.keys(errors).length === 0,
    ),
  ];
}

/** @param full while everybody waits for the start */
function memoryRows(people: number, before: Memory, full: Memory, after: Memory): Row[] {
  const resident = (name: string, of: keyof Memory) =>
    singleRow({
      figure: `RSS of the ${name}`,
      measured: `${whole(before[of])} MiB before the journey, ${whole(full[of])} MiB at the start`,
      value: after[of],
      target: 'printed',
      text: (value) => `${whole(value)} MiB after it`,
    });
  const each = singleRow({
    figure: 'memory of a person who waits, with a connection and a stream',
    measured: `of ${whole(people)} at the start`,
    value: ((full.web - before.web) * 1_024) / people,
    target: 'printed',
    text: (value) => `${value.toFixed(1)} KiB`,
  });
  return [resident('process that sells', 'web'), resident('process of Next', 'next'), each];
}

const of = (values: readonly number[], percent: number): number =>
  values.length > 0 ? percentile(values, percent) : Number.NaN;

const spreadText = (times: readonly number[]): string =>
  `p50 ${msText(of(times, 50))}, p99 ${msText(of(times, 99))}, max ${msText(of(times, 100))}`;

const listOf = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${whole(count)} × ${name}`)
    .join(', ') || 'none';
