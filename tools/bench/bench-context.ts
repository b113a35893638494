import type { Generator } from './load/generator';
import type { LoadResult, Source } from './load/types';
import type { Product } from './stack/product';
import type { Servers } from './stack/servers';

export type BenchContext = {
  root: string;
  isQuick: boolean;
  rounds: number;
  /** Length of one closed-loop round. */
  seconds: number;
  servers: Servers;
  product: Product;
  generator: Generator;
  /** Of the web process and of Next, right after they were ready. */
  rssAtStartMiB: { web: number; next: number };
  /** Hands out users nobody has bought with yet: the first of `count` numbers. */
  takeUsers(count: number): number;
  say(line: string): void;
};

const CONNECTIONS = 64;
/** Above this share the generator's thread is as busy as the server's. */
const BUSY = 0.95;

export type Rate = { perSecond: number; result: LoadResult };

/** One closed-loop round. @throws when something else than `expected` was answered: then it did not measure what it says. */
export async function measureRate(
  { generator, seconds }: BenchContext,
  port: number,
  source: Source,
  expected: number,
): Promise<Rate> {
  const result = await generator.run({ loop: 'closed', port, connections: CONNECTIONS, source, seconds });
  const good = result.answers[expected] ?? 0;
  if (good === 0 || good < result.sent) {
    throw new Error(`expected ${result.sent} times ${expected}, got ${JSON.stringify(result.answers)}`);
  }
  return { perSecond: (good / result.elapsedMs) * 1000, result };
}

/** The sentence that belongs to a figure in which the generator had nothing left to give. */
export function generatorNote(busy: readonly number[]): string[] {
  const most = Math.max(0, ...busy);
  return most < BUSY
    ? []
    : [
        `the load generator's thread was ${Math.round(most * 100)} % busy: the faster contestants may be faster yet.`,
      ];
}
