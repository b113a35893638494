import { Redis } from 'ioredis';
import { keys } from '@/lib/redis/keys';
import { readScript, runScript } from '@/lib/redis/run-script';
import { dealUnits } from '@/lib/slice/numbers/deal-units';
import { stocksOf } from '@/lib/slice/numbers/stock-ids';
import { launchRedis } from '@/tools/harness/stack/launch-stores';
import { ensureRedis } from '../../../scripts/infra/find-server.mjs';
import { anyFreePort } from '../../../scripts/infra/ports.mjs';
import { alternate } from '../alternate';
import type { BenchContext } from '../bench-context';
import { simulateSlices } from '../reference/simulate-slices';
import { ratioRow } from '../report/ratio-row';
import type { FigureReport } from '../report/types';
import { purchaseCommands } from '../stack/fill';
import { runPipeline } from '../stack/pipeline';
import { median } from '../stats';

const CALLS = 40_000;
const TOGETHER = 16;
const UNITS = 1_000_000_000;
const HOUR_MS = 3_600_000;
const SALE = { saleId: 'sale_bench_slices', slug: 'slices', gate: 'gate_of_the_slices', epoch: 1 };
/**
 * The cost of a purchase that moves units first: two readings, a transaction of Postgres with a script in it, two
 * scripts.
 */
const MOVE_MS = 5;

type Server = { url: string; redis: Redis; stop: () => Promise<unknown> };

/**
 * Measures the purchase script over one, two and four Redis processes, each with a slice of the sale: purchases a second,
 * which this machine's processors limit, and the processor time that each costs Redis, which they don't. From that time it
 * simulates more slices, each with a processor of its own.
 */
export async function measureSlices(context: BenchContext): Promise<FigureReport> {
  const calls = context.isQuick ? CALLS / 4 : CALLS;
  const servers: Server[] = [];
  const costs = new Map<number, number[]>();
  try {
    for (let slice = 0; slice < 4; slice += 1) servers.push(await startSlice(context, slice));
    const contestant = (slices: number) => ({
      name: `${slices}`,
      run: async () => {
        const used = servers.slice(0, slices);
        const commands = used.map((_, slice) => {
          const count = calls / slices;
          const stock = { ...SALE, saleId: stocksOf(SALE.saleId, 4)[slice] as string };
          return purchaseCommands(sha, stock, context.takeUsers(count), count, TOGETHER);
        });
        const before = await processorMs(used);
        const from = performance.now();
        await Promise.all(used.map(({ url }, slice) => runPipeline(url, commands[slice] ?? [])));
        const tookMs = performance.now() - from;
        const costUs = (1_000 * ((await processorMs(used)) - before)) / calls;
        costs.set(slices, [...(costs.get(slices) ?? []), costUs]);
        return (1_000 * calls) / tookMs;
      },
    });
    const [sha = ''] = await Promise.all(
      servers.map(({ redis }) => redis.script('LOAD', readScript('purchase-3-n')) as Promise<string>),
    );
    const samples = await alternate(context.rounds, [contestant(1), contestant(2), contestant(4)]);
    const [one, four] = [costs.get(1) ?? [], costs.get(4) ?? []];
    const serviceUs = median(four);
    const told = [1, 2, 4, 8, 16].map((slices) => {
      const { perSecond, moves } = simulateSlices({
        slices,
        units: 100_000,
        buyers: 101_000,
        serviceUs,
        moveMs: MOVE_MS,
      });
      return `${slices}: ${Math.round(perSecond).toLocaleString('en')}/s, ${moves} moves`;
    });
    return {
      name: 'slices',
      samples,
      rows: [
        ratioRow({
          figure: 'purchases/s inside Redis, a sale in 4 processes : in 1',
          ours: samples['4'] ?? [],
          theirs: samples['1'] ?? [],
          target: 'printed',
        }),
        ratioRow({
          figure: 'processor time of Redis for a purchase, µs, 4 processes : 1',
          ours: four,
          theirs: one,
          target: { atMost: 1.15 },
          text: (us) => us.toFixed(1),
        }),
      ],
      notes: [
        `in calls of ${TOGETHER}, as under load. The processes, the generator and whatever else runs share this machine's processors; the processor time is what each slice needs of its own.`,
        `simulated with that time, a processor for each slice, 101,000 buyers for 100,000 units, until the last one is sold: ${told.join('; ')}. Web processes and Postgres are not in it: one Redis keeps many web processes busy, and orders are written afterwards.`,
      ],
    };
  } finally {
    for (const { redis, stop } of servers) {
      redis.disconnect();
      await stop();
    }
  }
}

async function startSlice({ servers: workspace }: BenchContext, slice: number): Promise<Server> {
  const binary = await ensureRedis();
  const port = await anyFreePort();
  const { url, stop } = await launchRedis({ workspace, name: `slice-${slice}`, port, binary });
  const redis = new Redis(url);
  const stock = stocksOf(SALE.saleId, 4)[slice] as string;
  const units = dealUnits(UNITS, 4)[slice] as number;
  const startsAt = Date.now() - HOUR_MS;
  const loadKeys = [keys.sale(stock), keys.buyers(stock), keys.stagedBuyers(stock, 'none')];
  const settings = [SALE.epoch, 0, SALE.gate, startsAt, startsAt + 3 * HOUR_MS, 1, 0, 0, ''];
  await runScript(redis, 'load-3-n', loadKeys, [...settings, units, units, 0, 0, '', 0, 1]);
  return { url, redis, stop };
}

/** Reads how much processor time the main threads of these servers have taken. */
async function processorMs(servers: readonly Server[]): Promise<number> {
  const infos = await Promise.all(servers.map(({ redis }) => redis.info('cpu')));
  const seconds = infos.flatMap((info) =>
    [...info.matchAll(/used_cpu_(?:user|sys)_main_thread:([\d.]+)/g)].map(([, text]) => Number(text)),
  );
  return 1_000 * seconds.reduce((sum, one) => sum + one, 0);
}
