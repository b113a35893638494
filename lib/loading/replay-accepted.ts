import 'server-only';
import { hasOlder, rememberAccepted, takeOlder } from '@/lib/accepted/accepted-memory';
import { db } from '@/lib/db/client';
import { log } from '@/lib/http/log';
import { findWritten } from '@/lib/order/records/find-written';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { putAccepted } from '@/lib/outbox/put-accepted';
import { compensateOrders } from '@/lib/settlement/compensate-orders';
import { saleOf } from '@/lib/slice/numbers/stock-ids';
import { retakeUnits } from '@/lib/slice/retake-units';
import { readBuyer } from '@/lib/stock/read-buyer';
import { StockNotLoadedError } from '@/lib/stock/stock-not-loaded-error';

const CHUNK = 1_000;

const under = new Map<string, Promise<void>>();

/** Tells whether purchases of loadings before `epoch` must be brought back before anyone else buys. Cheap. */
export const isReplayDue = (saleId: string, epoch: number): boolean =>
  under.has(saleId) || hasOlder(saleId, epoch);

/**
 * Brings back purchases that this process answered with 202 and that Redis then lost: accepted before the loading
 * `epoch`, unknown to it and to Postgres. Each takes its units and gets its message again; Postgres decides if they are
 * gone. If the shopper has bought again, the first purchase is recorded as failed. Idempotent, one at a time per sale.
 * @param saleId of a split sale: the slice
 * @throws connection errors; purchases that were not brought back stay remembered.
 */
export async function replayAccepted(saleId: string, epoch: number): Promise<void> {
  while (isReplayDue(saleId, epoch)) {
    let running = under.get(saleId);
    if (!running) {
      running = replay(saleId, epoch).finally(() => under.delete(saleId));
      under.set(saleId, running);
    }
    await running;
  }
}

async function replay(saleId: string, epoch: number): Promise<void> {
  const orders = takeOlder(saleId, epoch);
  let broughtBack = 0;
  for (let at = 0; at < orders.length; at += CHUNK) {
    const chunk = orders.slice(at, at + CHUNK);
    try {
      const known = await findWritten(
        db(),
        saleOf(saleId),
        chunk.map(({ orderNo }) => orderNo),
      );
      const open = chunk.filter(({ orderNo }) => !known.has(orderNo));
      const results = await Promise.all(open.map((order) => bringBack(saleId, order)));
      broughtBack += results.filter(Boolean).length;
    } catch (error) {
      rememberAccepted(saleId, 0, orders.slice(at));
      throw error;
    }
    rememberAccepted(saleId, epoch, chunk);
  }
  if (broughtBack > 0)
    log.warn({ saleId, epoch, broughtBack }, 'purchases that Redis lost were brought back');
}

/** Brings one purchase back. @returns whether Redis had lost it. */
async function bringBack(saleId: string, order: AcceptedOrder): Promise<boolean> {
  const { userId, orderNo, jti, quantity, variant } = order;
  const records = await readBuyer(saleId, userId);
  if (records.some((record) => record.orderNo === orderNo)) return false;
  const { status } = await retakeUnits({
    saleId,
    userId,
    orderNo,
    jti,
    units: quantity,
    variant,
    as: 'held',
    takenAt: order.acceptedAt,
  });
  if (status === 'unknown_sale') throw new StockNotLoadedError(`${saleId} is not loaded`);
  if (status === 'over_limit') {
    await compensateOrders(
      { saleId: saleOf(saleId), orders: [order] },
      'lost with Redis, and bought again meanwhile',
    );
  } else {
    await putAccepted(saleId, order);
  }
  return true;
}
