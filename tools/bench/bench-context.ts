import type { PurchaseWish } from '@/lib/contract/shapes/purchase';
import type { Generator } from './load/generator';
import type { LoadResult, OpenSale, Source } from './load/types';
import type { FigureReport } from './report/types';
import type { Product } from './stack/product';

export type BenchContext = {
  root: string;
  isQuick: boolean;
  rounds: number;
  /** Length of one closed-loop round, in seconds. */
  seconds: number;
  product: Product;
  generator: Generator;
  /** How busy the generator's thread was in each closed loop of the figure, 0 … 1. */
  busy: number[];
  /** Reserves `count` users who have not bought anything yet. Returns the first of their numbers. */
  takeUsers(count: number): number;
  say(line: string): void;
  /** Does something when the figure is over; what was asked for last comes first. */
  atEnd(work: () => unknown): void;
};

export type Figure = (context: BenchContext) => Promise<Omit<FigureReport, 'name'>>;

export const CONNECTIONS = 64;
/** Units of a sale that must not sell out. */
export const PLENTY = 1_000_000_000;
/** More purchases per second than any server here can do. */
export const FAST_PATH_PER_SECOND = 30_000;
/** Above this share the generator's thread is as busy as the server's. */
const BUSY = 0.95;

type Load = {
  source: Source;
  /** The status that counts, and another that may occur. */
  expected: number;
  tolerated?: number;
  /** Port of another server than the fast path's. */
  port?: number;
  generator?: Generator;
  seconds?: number;
};

/** Measures one closed-loop round; only expected answers count. @throws as `countExpected` does */
export async function measureRate(context: BenchContext, load: Load) {
  const { source, expected, tolerated } = load;
  const { port = context.product.port, generator = context.generator, seconds = context.seconds } = load;
  const result = await generator.run({ loop: 'closed', port, connections: CONNECTIONS, source, seconds });
  if (generator === context.generator) context.busy.push(result.busy);
  const good = countExpected(result, expected, tolerated);
  return { perSecond: (good / result.elapsedMs) * 1_000, result };
}

/**
 * Returns how many answers were the expected ones.
 * @param tolerated another status that may occur
 * @throws when there was any other answer: then the round did not measure what it claims
 */
export function countExpected({ answers, sent }: LoadResult, expected: number, tolerated = expected): number {
  const good = answers[expected] ?? 0;
  const fine = good + (tolerated === expected ? 0 : (answers[tolerated] ?? 0));
  if (good > 0 && fine >= sent) return good;
  throw new Error(`expected ${sent} times ${expected}, got ${JSON.stringify(answers)}`);
}

type Purchases = {
  /** More than the server can do. */
  perSecond?: number;
  /** Their wishes, in turn; none: one unit each. */
  wishes?: readonly PurchaseWish[];
};

/** Returns purchases by users who have not bought anything yet, more than a server can do in that time. */
export function purchasesOf(
  { takeUsers, seconds }: BenchContext,
  targets: readonly OpenSale[],
  { perSecond = FAST_PATH_PER_SECOND, wishes }: Purchases = {},
): Source {
  const count = Math.ceil(perSecond * seconds);
  return { kind: 'purchases', targets, fromUser: takeUsers(count), count, wishes };
}

/** Makes a contestant: purchases accepted per second of these sales. @param port of another server than the fast path's */
export const selling =
  (
    context: BenchContext,
    targets: readonly OpenSale[],
    { port, ...purchases }: Purchases & { port?: number } = {},
  ) =>
  async () =>
    (await measureRate(context, { port, expected: 202, source: purchasesOf(context, targets, purchases) }))
      .perSecond;

/** Leaves the users 1 … `count` to buyers who are made without a purchase. */
export const skipUsers = ({ takeUsers }: BenchContext, count: number): void =>
  void takeUsers(Math.max(0, count + 1 - takeUsers(0)));

/** Returns the remark for a figure in which the generator ran at its limit. */
export function generatorNote(busy: readonly number[]): string[] {
  const most = Math.max(0, ...busy);
  return most < BUSY
    ? []
    : [
        `the load generator's thread was ${Math.round(most * 100)} % busy: the faster contestants may be faster yet.`,
      ];
}
