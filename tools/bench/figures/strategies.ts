import type { SaleStrategy } from '@/lib/contract/words/sale';
import { db } from '@/lib/db/client';
import { createLoadUsers } from '@/lib/load-test/create-load-users';
import { alternate } from '../alternate';
import { type BenchContext, generatorNote, measureRate } from '../bench-context';
import { FAST_PATH_PER_SECOND } from '../measure-purchases';
import { ratioRow } from '../report/ratio-row';
import type { FigureReport } from '../report/types';
import { dropBenchSale, openBenchSale } from '../stack/sales';

const STOCK = 1_000_000_000;
/** More purchases per second than each strategy can decide here. */
const PER_SECOND: Record<SaleStrategy, number> = {
  script: FAST_PATH_PER_SECOND,
  lock: 4_000,
  database: 4_000,
  queue: FAST_PATH_PER_SECOND,
};

/** Measures accepted purchases per second of the three strategies: the script, the lock, and Postgres alone. */
export async function measureStrategies(context: BenchContext): Promise<FigureReport> {
  const { product, rounds, seconds } = context;
  // Orders refer to users, and the database strategy writes its orders at once.
  await createLoadUsers(Math.ceil(PER_SECOND.database * seconds) * (rounds + 1));
  const names = ['script', 'lock', 'database'] as const;
  const sales = await Promise.all(names.map((strategy) => openBenchSale(STOCK, { strategy })));
  const busy: number[] = [];
  const turnedAway: Record<SaleStrategy, number> = { script: 0, lock: 0, database: 0, queue: 0 };
  const contestants = names.map((name, at) => ({
    name,
    run: async (round: number) => {
      const targets = sales.slice(at, at + 1);
      const count = Math.ceil(PER_SECOND[name] * seconds);
      // Each sale is new, so its buyers may be those of the others.
      const fromUser = 1 + round * count;
      const source = { kind: 'purchases', targets, fromUser, count, isCyclic: false } as const;
      const rate = await measureRate(context, product.fastPath.port, source, 202, 503);
      busy.push(rate.result.busy);
      turnedAway[name] += rate.result.answers[503] ?? 0;
      return rate.perSecond;
    },
  }));
  try {
    const samples = await alternate(rounds, contestants);
    const row = (name: SaleStrategy) =>
      ratioRow({
        figure: `purchases accepted/s, strategy ${name} : script`,
        ours: samples[name] ?? [],
        theirs: samples.script ?? [],
        target: 'printed',
      });
    return {
      name: 'strategies',
      samples,
      rows: [row('lock'), row('database')],
      notes: [
        'one sale of each strategy, and everybody wants the same one. The lock is on one Redis, which also has the stock here; the database strategy has written the order when it answers, the others have not.',
        `told to come again (503), all rounds: ${names.map((name) => `${name} ${turnedAway[name]}`).join(', ')}.`,
        ...generatorNote(busy),
      ],
    };
  } finally {
    await Promise.all(sales.map(dropBenchSale));
    // Worker and executor are stopped, so nobody has sent these; they would be work for the figures that follow.
    await db().$executeRaw`
      DELETE FROM outgoing_messages
      WHERE topic = 'orders/placed' AND payload ->> 'saleId' = ANY (${sales.map(({ saleId }) => saleId)}::text[])`;
  }
}
