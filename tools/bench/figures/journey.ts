import type { BenchContext } from '../bench-context';
import { msText, whole } from '../report/format';
import { measuredOnce } from '../report/ratio-row';
import { atMost, type FigureReport, type Row } from '../report/types';
import { signedInCookies } from '../stack/people';
import { dropBenchSale, openBenchSale } from '../stack/sales';
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

/** Measures the whole way of a crowd: page, visit, entry, events, the press within the first second, the order. */
export async function measureJourney(context: BenchContext): Promise<FigureReport> {
  const { product, generator, isQuick } = context;
  const [people, units] = isQuick ? [1_000, 100] : [10_000, 1_000];
  const cookies = await signedInCookies(people);
  const writers = await product.startWriters();
  const startsAt = Date.now() + LEAD_MS + ARRIVE_WITHIN_MS;
  const sale = await openBenchSale(units, { startsAt });
  try {
    const orders = awaitOrders(sale.saleId, units, TIMEOUT_MS);
    const { saleId, slug } = sale;
    const result = await generator.travel({
      port: product.fastPath.port,
      saleId,
      slug,
      startsAt,
      arriveWithinMs: ARRIVE_WITHIN_MS,
      lastMs: LAST_MS,
      pressWithinMs: PRESS_WITHIN_MS,
      cookies,
    });
    const { written, lastAtMs } = await orders;
    // The units are gone within the first second, in which everybody presses.
    const writtenMs = written === units ? lastAtMs - (startsAt + PRESS_WITHIN_MS) : Number.POSITIVE_INFINITY;
    const { readyBefore, pressed, followed, errors, arriveMs, seenMs, pressMs, busy } = result;
    const size = `${whole(people)} people, ${whole(units)} units`;
    const listOf = (counts: Record<string, number>) =>
      Object.entries(counts)
        .map(([name, count]) => `${whole(count)} × ${name}`)
        .join(', ') || 'none';
    const isExact = pressed[202] === units && (pressed[202] ?? 0) + (pressed[409] ?? 0) === people;
    const row = (figure: string, p: typeof pressMs, target: number): Row => ({
      figure,
      measured: `p50 ${msText(p.p50)}, p99 ${msText(p.p99)}, max ${msText(p.max)}`,
      result: msText(p.p99),
      target: `≤ ${target} ms`,
      verdict: atMost(p.p99, target),
      ...measuredOnce(p.p99, 'less'),
    });
    return {
      name: 'journey',
      samples: {
        pressP99: [pressMs.p99],
        seenP99: [seenMs.p99],
        arriveP99: [arriveMs.p99],
        writtenMs: [writtenMs],
      },
      rows: [
        {
          figure: `journey, ${size}: a token before the start`,
          measured: `page, visit and entry p50 ${msText(arriveMs.p50)}, p99 ${msText(arriveMs.p99)}`,
          result: `${whole(readyBefore)} of ${whole(people)}`,
          target: 'all',
          verdict: readyBefore === people ? 'met' : 'missed',
        },
        row('journey: the start seen after the instant, p99', seenMs, SEEN_TARGET_MS),
        row('journey: from the press to the answer, p99', pressMs, PRESS_TARGET_MS),
        {
          figure: 'journey: presses answered',
          measured: listOf(pressed),
          result: isExact ? 'exact' : 'not exact',
          target: `${whole(units)} accepted, all answered`,
          verdict: isExact ? 'met' : 'missed',
        },
        {
          figure: 'journey: last order in Postgres after the first second',
          measured: `${whole(followed)} seen by their shoppers`,
          result: Number.isFinite(writtenMs) ? msText(Math.max(0, writtenMs)) : 'never',
          target: `≤ ${whole(WRITTEN_TARGET_MS)} ms`,
          verdict: atMost(writtenMs, WRITTEN_TARGET_MS),
          ...measuredOnce(writtenMs, 'less'),
        },
        {
          figure: 'journey: answers that no shopper should get',
          measured: listOf(errors),
          result: whole(Object.values(errors).reduce((sum, count) => sum + count, 0)),
          target: '0',
          verdict: Object.keys(errors).length === 0 ? 'met' : 'missed',
        },
      ],
      notes: [
        `one run; people arrive evenly from ${ARRIVE_WITHIN_MS / 1_000} to ${LAST_MS / 1_000} s before the start, fifty to an address, with the scripts in their caches, and stay five seconds after their answer; worker and executor run. The generator's thread was ${Math.round(busy * 100)} % busy.`,
      ],
    };
  } finally {
    await writers.stop();
    await dropBenchSale(sale);
  }
}
