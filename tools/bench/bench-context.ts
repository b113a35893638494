import type { Generator } from './load/generator';
import type { LoadResult, Source } from './load/types';
import type { Product } from './stack/product';
import type { Servers } from './stack/servers';

export type BenchContext = {
  root: string;
  isQuick: boolean;
  rounds: number;
  /** Length of one closed-loop round, in seconds. */
  seconds: number;
  servers: Servers;
  product: Product;
  generator: Generator;
  /** Memory of the web process and of Next, right after they became ready. */
  rssAtStartMiB: { web: number; next: number };
  /** Reserves `count` users who have not bought anything yet. Returns the first of their numbers. */
  takeUsers(count: number): number;
  say(line: string): void;
};

const CONNECTIONS = 64;
/** Above this share the generator's thread is as busy as the server's. */
const BUSY = 0.95;

type Rate = { perSecond: number; result: LoadResult };

/**
 * Measures one closed-loop round; only expected answers count.
 * @param tolerated another status that may occur.
 * @throws when there was any other answer: then the round did not measure what it claims.
 */
export async function measureRate(
  { generator, seconds }: BenchContext,
  port: number,
  source: Source,
  expected: number,
  tolerated = expected,
): Promise<Rate> {
  const result = await generator.run({ loop: 'closed', port, connections: CONNECTIONS, source, seconds });
  const good = result.answers[expected] ?? 0;
  const fine = good + (tolerated === expected ? 0 : (result.answers[tolerated] ?? 0));
  if (good === 0 || fine < result.sent) {
    throw new Error(`expected ${result.sent} times ${expected}, got ${JSON.stringify(result.answers)}`);
  }
  return { perSecond: (good / result.elapsedMs) * 1000, result };
}

/** Returns the remark for a figure in which the generator ran at its limit. */
export function generatorNote(busy: readonly number[]): string[] {
  const most = Math.max(0, ...busy);
  return most < BUSY
    ? []
    : [
        `the load generator's thread was ${Math.round(most * 100)} % busy: the faster contestants may be faster yet.`,
      ];
}
