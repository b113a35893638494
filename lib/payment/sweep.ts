import 'server-only';
import type { OrderStatus } from '@/lib/contract/words/order';
import { log } from '@/lib/http/log';
import { findOverdue } from '@/lib/order/records/find-overdue';
import { findUnsettled } from '@/lib/order/records/find-unsettled';
import type { StockOrder } from '@/lib/order/records/types';
import { groupBy } from '@/lib/outbox/group-by';
import { findUnreleased } from '@/lib/outbox/unreleased-dead-letters';
import { confirmPaid } from '@/lib/settlement/confirm-paid';
import { releaseLetters } from '@/lib/settlement/release-dead-letters';
import { settleRefunded } from '@/lib/settlement/settle-refunded';
import { settleReleased } from '@/lib/settlement/settle-released';
import { releaseUnpaid } from './release-unpaid';
import { sweepRefunds } from './sweep-refunds';

const ROUNDS = 50;

type SweepResult = {
  cancelled: number;
  settled: number;
  released: number;
  /** Number of refunds whose message was missed. */
  refunded: number;
  /** Sales whose step failed. Each is logged with the reason; the next sweep tries it again. */
  failedSales: string[];
};

type Unsettled = StockOrder & { status: OrderStatus };

/**
 * Catches what the timers and messages missed: cancels overdue orders, repeats changes that did not reach the stock,
 * gives back the units that dead letters still hold, and sends back money that is still due. Every step is
 * idempotent, works on at most 100 orders at a time and stops after 50 rounds; the next minute goes on.
 */
export async function sweep(): Promise<SweepResult> {
  const failedSales = new Set<string>();
  let cancelled = 0;
  await drain(findOverdue, failedSales, async (orders: StockOrder[]) => {
    cancelled += (await releaseUnpaid(orders.map(({ orderNo }) => orderNo))).length;
  });
  let settled = 0;
  await drain(findUnsettled, failedSales, async (orders: Unsettled[]) => {
    await confirmPaid(orders.filter(({ status }) => status === 'paid'));
    await settleReleased(orders.filter(({ status }) => status === 'cancelled' || status === 'failed'));
    await settleRefunded(orders.filter(({ status }) => status === 'refunded'));
    settled += orders.length;
  });
  let released = 0;
  const findLetters = (exceptSales: readonly string[]) => findUnreleased(null, exceptSales);
  await drain(findLetters, failedSales, async (letters) => {
    await releaseLetters(letters);
    released += letters.length;
  });
  const { refunded } = await sweepRefunds();
  return { cancelled, settled, released, refunded, failedSales: [...failedSales] };
}

/**
 * Works on the orders that `find` returns, sale by sale, until none is left. A sale that fails is left out from then
 * on.
 */
async function drain<T extends StockOrder>(
  find: (exceptSales: readonly string[]) => Promise<T[]>,
  failedSales: Set<string>,
  work: (orders: T[]) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = await find([...failedSales]);
    if (found.length === 0) return;
    for (const [saleId, orders] of groupBy(found, (order) => order.saleId)) {
      try {
        await work(orders);
      } catch (err) {
        failedSales.add(saleId);
        log.error({ saleId, err }, 'sweep failed for a sale');
      }
    }
  }
}
