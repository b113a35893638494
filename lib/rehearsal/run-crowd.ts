import 'server-only';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { LimitScope } from '@/lib/redis/limit-policy';
import { purchaseStock } from '@/lib/stock/purchase-stock';
import type { PlannedShopper, Press } from './plan-crowd';
import type { ShadowSale } from './shadow-sale';

/** A press and its answer. */
export type Answered = {
  press: Press;
  status: string;
  /** Which limit refused it. */
  limit?: LimitScope;
  orderNo?: string;
  /** When the purchase was accepted, by the clock of Redis, epoch ms; only on accepted presses. */
  acceptedAt?: number;
  latencyMs: number;
  /** After the start, by the clock of this process; ms. */
  answeredMs: number;
};

/** One tick sends all presses that are due together, as a web process handles all requests that have arrived. */
const TICK_MS = 2;

/**
 * Has the crowd press, each at its planned moment whether or not others have their answers, and waits for all
 * answers. Latency counts from the planned moment: a press that is late because everything is late counts as late.
 * @throws connection errors, at the first
 */
export async function runCrowd(
  sale: Pick<SaleInfo, 'limits'>,
  shadow: ShadowSale,
  crowd: readonly PlannedShopper[],
  onProgress: (share: number) => void,
): Promise<Answered[]> {
  const presses = crowd.flatMap((shopper) => shopper.presses).sort((a, b) => a.atMs - b.atMs);
  const zero = shadow.startsAtHere;
  const answers: Promise<Answered>[] = [];
  let isBroken = false;
  for (let next = 0; next < presses.length && !isBroken; ) {
    const now = performance.now() - zero;
    for (let press = presses[next]; press && press.atMs <= now; press = presses[next]) {
      const answer = ask(sale, shadow, press, next);
      // `Promise.all` below reports the error; until then an unhandled rejection would end the process.
      answer.catch(() => {
        isBroken = true;
      });
      answers.push(answer);
      next += 1;
    }
    onProgress(next / presses.length);
    await sleep(TICK_MS);
  }
  return Promise.all(answers);
}

async function ask(
  { limits }: Pick<SaleInfo, 'limits'>,
  { saleId, gate, epoch, startsAtHere }: ShadowSale,
  press: Press,
  nth: number,
): Promise<Answered> {
  const { userId, jti, quantity, variant, address, knowsGate } = press;
  const answered = (
    status: string,
    more: Pick<Answered, 'limit' | 'orderNo' | 'acceptedAt'> = {},
  ): Answered => {
    const answeredMs = performance.now() - startsAtHere;
    return { press, status, ...more, answeredMs, latencyMs: answeredMs - press.atMs };
  };
  const result = await purchaseStock({
    saleId,
    epoch,
    userId,
    jti,
    quantity,
    variant,
    gate: knowsGate ? gate : 'opensesame',
    address: limits?.ip && address,
    // Everybody has a device of their own.
    device: limits?.device && userId,
    // Made-up order numbers: nothing of this reaches Postgres.
    orderNo: String((nth + 1) * 1_024),
  });
  if (result.status === 'rate_limited') return answered('rate_limited', { limit: result.scope });
  const { status } = result;
  if (status === 'accepted')
    return answered(status, { orderNo: result.orderNo, acceptedAt: result.acceptedAt });
  return answered(status, status === 'replayed' ? { orderNo: result.orderNo } : {});
}
