import 'server-only';
import type { HistoryLine } from '@/lib/contract/shapes/order';
import { parseOrderNo } from '@/lib/ids/order-no';
import { readHistory } from '@/lib/order/records/read-history';
import { findOrder, type OrderReader } from './find-order';

/**
 * Lists what happened to a reader's order, oldest first. Leaves out the shop's own business (which staff member
 * acted, errors, internal steps). Empty while the order is still queued.
 * @returns null if there is no such order or it is someone else's.
 */
export async function findHistory(reader: OrderReader, orderNo: string): Promise<HistoryLine[] | null> {
  if (parseOrderNo(orderNo) === null) return null;
  const order = await findOrder(reader, orderNo);
  if (!order) return null;
  const history = await readHistory(orderNo);
  if (!history) return [];
  const lines: HistoryLine[] = [];
  for (const { at, cause, from, to, data } of history.events) {
    if (cause === 'confirmed') continue;
    const amountMinor = typeof data.amountMinor === 'number' ? data.amountMinor : null;
    const currency = typeof data.currency === 'string' ? data.currency : null;
    lines.push({ at, cause, from, to, amountMinor, currency });
  }
  return lines;
}
