import { setTimeout as delay } from 'node:timers/promises';
import { setSalePaused } from '@/lib/sale/admin/pause-sale';
import { streamCapacity } from '@/lib/server/events-capacity';
import { alternate } from '../alternate';
import { type BenchContext, generatorNote } from '../bench-context';
import { type LoadProcess, startLoadProcess } from '../load/load-process';
import type { WatchAnswer, WatchQuestion } from '../load/types';
import { measurePurchases } from '../measure-purchases';
import { msText, whole } from '../report/format';
import { measuredOnce, ratioRow } from '../report/ratio-row';
import { atMost, type FigureReport, type Row } from '../report/types';
import { benchMerchant, dropBenchSale, openBenchSale } from '../stack/sales';
import { median, percentile, spread } from '../stats';

const STREAMS = { full: 10_000, quick: 1_000 };
const LAST_TARGET_MS = 1_000;
const RATIO_TARGET = 0.85;
/** Opened before the memory is read, so that what the first streams cost once is not counted. */
const FIRST = 250;
const LOOK_EVERY_MS = 50;
const TOLD_WITHIN_MS = 30_000;

/**
 * Measures a crowd that follows a sale over streams of one web process: memory of a stream, how soon the last one
 * learns of a change, and how many purchases are accepted beside it.
 */
export async function measureWatchers(context: BenchContext): Promise<FigureReport> {
  const { root, product, isQuick } = context;
  const wanted = isQuick ? STREAMS.quick : STREAMS.full;
  // The bench and the web process may open the same number of files.
  const streams = Math.min(wanted, streamCapacity());
  const web = await product.startOwnWeb('web-watched');
  const sale = await openBenchSale(1_000_000_000);
  const crowd = startLoadProcess<WatchQuestion, WatchAnswer>(root, 'watch-main.ts', product.env);
  const open = (count: number) => crowd.ask({ ask: 'open', port: web.port, saleId: sale.saleId, count });
  const busy: number[] = [];
  const told: Told[] = [];
  const purchases = () => measurePurchases(context, { targets: [sale], port: web.port, busy });
  try {
    await purchases();
    await open(FIRST);
    const before = web.rssMiB().web;
    await open(streams - FIRST);
    const kibEach = ((web.rssMiB().web - before) * 1_024) / (streams - FIRST);
    await closeAll(crowd);
    const samples = await alternate(context.rounds, [
      {
        name: 'watched',
        run: async (round) => {
          await open(streams);
          const perSecond = await purchases();
          const seen = await tellAll(crowd, sale.saleId, streams);
          if (round > 0) told.push(seen);
          await closeAll(crowd);
          return perSecond;
        },
      },
      { name: 'alone', run: purchases },
    ]);
    const lasts = told.map(({ last }) => last);
    const of = (name: keyof Told) => msText(median(told.map((each) => each[name])));
    const rows: Row[] = [
      {
        figure: `memory of a stream, ${whole(streams)} streams of one process`,
        measured: `${whole(kibEach * (streams - FIRST))} KiB for ${whole(streams - FIRST)} streams`,
        result: `${kibEach.toFixed(1)} KiB`,
        target: 'printed',
        verdict: 'info',
        ...measuredOnce(kibEach, 'less'),
      },
      {
        figure: `pause of a sale → the last of ${whole(streams)} streams knows`,
        measured: `p50 ${of('p50')}, p99 ${of('p99')}, slowest round ${msText(Math.max(...lasts))}`,
        result: of('last'),
        target: `≤ ${whole(LAST_TARGET_MS)} ms`,
        verdict: atMost(median(lasts), LAST_TARGET_MS),
        compared: { value: median(lasts), spread: spread(lasts), better: 'less' },
      },
      ratioRow({
        figure: `purchases accepted/s, ${whole(streams)} streams follow the sale : none`,
        ours: samples.watched ?? [],
        theirs: samples.alone ?? [],
        target: { atLeast: RATIO_TARGET },
      }),
    ];
    const notes = [
      'a web process of its own. All streams are those of one other process, over several loopback addresses, because one address may have 1,000. The time to the last one begins before the merchant’s pause is written, and contains what that process needs to read.',
      ...(streams < wanted ? [`the system lets a process open too few files for ${whole(wanted)}.`] : []),
      ...generatorNote(busy),
    ];
    return { name: 'watchers', rows, notes, samples: { ...samples, lastMs: lasts, kibEach: [kibEach] } };
  } finally {
    crowd.stop();
    await web.stop();
    await dropBenchSale(sale);
  }
}

/** When readers learnt of a change, in ms after it. */
type Told = { p50: number; p99: number; last: number };
type Crowd = LoadProcess<WatchQuestion, WatchAnswer>;

/** Pauses the sale until every reader knows. @throws when one does not learn it in time */
async function tellAll(crowd: Crowd, saleId: string, streams: number): Promise<Told> {
  const merchant = await benchMerchant();
  const from = Date.now();
  await setSalePaused(merchant, saleId, true);
  const { learntAtMs } = await until(
    () => crowd.ask({ ask: 'learnt', status: 'paused' }),
    (answer) => answer.learntAtMs.length >= streams,
  );
  await setSalePaused(merchant, saleId, false);
  const lateMs = learntAtMs.map((at) => at - from);
  return { p50: percentile(lateMs, 50), p99: percentile(lateMs, 99), last: percentile(lateMs, 100) };
}

async function closeAll(crowd: Crowd): Promise<void> {
  await until(
    () => crowd.ask({ ask: 'close' }),
    ({ open }) => open === 0,
  );
}

async function until(look: () => Promise<WatchAnswer>, isOver: (answer: WatchAnswer) => boolean) {
  const deadline = Date.now() + TOLD_WITHIN_MS;
  for (;;) {
    const answer = await look();
    if (isOver(answer)) return answer;
    if (Date.now() > deadline)
      throw new Error(`${answer.learntAtMs.length} of ${answer.open} streams know of the change`);
    await delay(LOOK_EVERY_MS);
  }
}
