import 'server-only';
import { nowMs } from '@/lib/clock';
import type { RiskSubject } from '@/lib/contract/words/risk';
import { findUnpaid, type UnpaidOrder } from '@/lib/order/records/find-unpaid';
import { isOn } from '@/lib/switchboard/is-on';
import { actOnHits } from './act-on-hits';
import { countNote } from './count-note';
import { readOrderOrigins } from './origins';
import { noteCounted, readUnpaidMark, withoutCounted } from './unpaid-mark';
import { watchRisk, windowsOf } from './watch-risk';

/** How many orders are counted at a time. */
const BATCH = 500;
/** How far back to count when no mark is known, as after a loss of Redis: the longest window of a rule. */
const LONGEST_MS = 86_400_000;
const SUBJECTS: readonly RiskSubject[] = ['user', 'device', 'ip'];

/**
 * Counts orders that ended unpaid for the risk rules, from the database: also those that Redis lost. Each leads to hits and
 * blocks once, so a block that staff lift stays lifted until another order ends unpaid. Safe side by side; a worker does this
 * every second. Waits while risk rules are switched off.
 */
export async function countUnpaid(): Promise<void> {
  if (!isOn('risk')) return;
  await watchRisk();
  if (SUBJECTS.every((kind) => windowsOf('unpaid_orders', kind).length === 0)) return;
  const fromMs = (await readUnpaidMark()) ?? nowMs() - LONGEST_MS;
  let last: Pick<UnpaidOrder, 'cancelledAt' | 'orderNo'> = { cancelledAt: fromMs, orderNo: '0' };
  for (;;) {
    const ended = await findUnpaid(last, BATCH);
    const orders = await withoutCounted(ended);
    last = ended.at(-1) ?? last;
    if (orders.length > 0) {
      const origins = await readOrderOrigins(orders.map(({ orderNo }) => orderNo));
      const hits = await Promise.all(orders.map((order, at) => countOrder(order, origins[at])));
      await actOnHits(hits.flat());
      await noteCounted(orders, last.cancelledAt);
    }
    if (ended.length < BATCH) return;
  }
}

async function countOrder(
  { orderNo, saleId, userId, cancelledAt }: UnpaidOrder,
  origin = { device: '', ip: '' },
) {
  const subjects = { user: userId, ...origin };
  const hits = await Promise.all(
    SUBJECTS.filter((kind) => subjects[kind] !== '').map((kind) =>
      countNote(
        { metric: 'unpaid_orders', kind, value: subjects[kind], saleId, times: 1, member: orderNo },
        cancelledAt,
      ),
    ),
  );
  return hits.flat();
}
