import type { SaleStrategy } from '@/lib/contract/words/sale';
import { db } from '@/lib/db/client';
import { createLoadUsers } from '@/lib/load-test/create-load-users';
import { FAST_PATH_PER_SECOND, type Figure, measureRate, PLENTY } from '../bench-context';
import { contest } from '../contest';
import { openBenchSale } from '../stack/sales';

/** More purchases per second than each strategy can decide here; null: it has no line in the figure. */
const PER_SECOND: Record<SaleStrategy, number | null> = {
  script: FAST_PATH_PER_SECOND,
  lock: 4_000,
  database: 4_000,
  queue: null,
};
const NAMES = ['script', 'lock', 'database'] as const;

/** Measures accepted purchases per second of the three strategies: the script, the lock, and Postgres alone. */
export const measureStrategies: Figure = async (context) => {
  const { rounds, seconds, atEnd } = context;
  // Orders refer to users, and the database strategy writes its orders at once.
  await createLoadUsers(Math.ceil((PER_SECOND.database ?? 0) * seconds) * (rounds + 1));
  const turnedAway: Record<string, number> = {};
  const saleIds: string[] = [];
  const selling = async (name: (typeof NAMES)[number]) => {
    const sale = await openBenchSale(PLENTY, { strategy: name });
    saleIds.push(sale.saleId);
    return async (round: number) => {
      const count = Math.ceil((PER_SECOND[name] ?? 0) * seconds);
      // Each sale is new, so its buyers may be those of the others.
      const source = { kind: 'purchases', targets: [sale], fromUser: 1 + round * count, count } as const;
      const { perSecond, result } = await measureRate(context, { source, expected: 202, tolerated: 503 });
      turnedAway[name] = (turnedAway[name] ?? 0) + (result.answers[503] ?? 0);
      return perSecond;
    };
  };
  // Worker and executor are stopped, so nobody has sent these; they would be work for the figures that follow.
  atEnd(
    () => db().$executeRaw`
      DELETE FROM outgoing_messages
      WHERE topic = 'orders/placed' AND payload ->> 'saleId' = ANY (${saleIds}::text[])`,
  );
  const pair = (name: SaleStrategy) => ({
    figure: `purchases accepted/s, strategy ${name} : script`,
    ours: name,
    theirs: 'script',
    target: 'printed' as const,
  });
  const found = await contest(
    context,
    { script: await selling('script'), lock: await selling('lock'), database: await selling('database') },
    [pair('lock'), pair('database')],
    [
      'one sale of each strategy, and everybody wants the same one. The lock is on one Redis, which also has the stock here; the database strategy has written the order when it answers, the others have not.',
    ],
  );
  const away = NAMES.map((name) => `${name} ${turnedAway[name] ?? 0}`).join(', ');
  return { ...found, notes: [...found.notes, `told to come again (503), all rounds: ${away}.`] };
};
