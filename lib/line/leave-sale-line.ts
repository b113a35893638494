import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { ADMISSIONS } from '@/lib/contract/words/sale';
import { leaveLine } from '@/lib/line/records/leave-line';
import { cancelOrder } from '@/lib/order/cancel-order';
import { findLatestOrder } from '@/lib/order/records/find-latest-order';
import { readBuyer } from '@/lib/stock/read-buyer';
import { leaveWaitlist } from '@/lib/waitlist/leave-waitlist';

type Left =
  | { status: 'left'; leftAt: number }
  | { status: 'not_in_line' }
  /** The unit won is about to become an order: leaving again cancels it. */
  | { status: 'unavailable' };

/**
 * Ends everything that a shopper has in a sale's waiting room or draw: the place, the entry token, the place on the
 * waitlist, and an unpaid unit from the draw. Units bought in the waiting room stay, and so do paid ones.
 * @throws connection errors; leaving again is harmless, and does what is left to do
 */
export async function leaveSaleLine(
  { saleId, admission, waitlist }: Pick<SaleInfo, 'saleId' | 'admission' | 'waitlist'>,
  userId: string,
): Promise<Left> {
  const leftAt = await leaveLine(saleId, userId);
  if (leftAt === null) return { status: 'not_in_line' };
  if (waitlist) await leaveWaitlist(saleId, userId);
  if (ADMISSIONS[admission].isDrawn && !(await cancelWon(saleId, userId))) return { status: 'unavailable' };
  return { status: 'left', leftAt };
}

/** @returns false if an order is still to be written */
async function cancelWon(saleId: string, userId: string): Promise<boolean> {
  const [latest, records] = await Promise.all([findLatestOrder(saleId, userId), readBuyer(saleId, userId)]);
  const held = records.flatMap(({ state, orderNo }) => (state === 'held' ? [orderNo] : []));
  const orderNos = new Set(latest === null ? held : [latest, ...held]);
  const results = await Promise.all([...orderNos].map((orderNo) => cancelOrder(userId, orderNo)));
  return results.every(({ status }) => status !== 'not_found');
}
