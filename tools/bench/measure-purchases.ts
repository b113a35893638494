import { type BenchContext, measureRate } from './bench-context';
import type { BenchSale } from './stack/sales';

/** More purchases per second than any server here can do. */
export const FAST_PATH_PER_SECOND = 30_000;

/**
 * Measures one closed-loop round of purchases, each by a user who has not bought anything yet.
 * @param options `port`: the fast path's unless given; `perSecond`: more than that server can do; `busy`: gets how busy the
 *   generator's thread was, 0 to 1
 * @returns accepted purchases per second
 */
export async function measurePurchases(
  context: BenchContext,
  {
    targets,
    port = context.product.fastPath.port,
    perSecond = FAST_PATH_PER_SECOND,
    busy,
  }: { targets: readonly BenchSale[]; port?: number; perSecond?: number; busy: number[] },
): Promise<number> {
  const count = Math.ceil(perSecond * context.seconds);
  const fromUser = context.takeUsers(count);
  const source = { kind: 'purchases', targets, fromUser, count, isCyclic: false } as const;
  const rate = await measureRate(context, port, source, 202);
  busy.push(rate.result.busy);
  return rate.perSecond;
}
