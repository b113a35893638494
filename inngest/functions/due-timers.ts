import 'server-only';
import { saleIdsOf } from '@/lib/ids/sale-ids-of';
import { eventId } from '@/lib/outbox/event-id';
import { groupBy } from '@/lib/outbox/group-by';
import { ordersDue } from '../events';

/** Timers ring at full half seconds, so that all orders that are due within one share a timer. */
const STEP_MS = 500;
/**
 * How much later than that a timer rings. The database's clock decides what is due; if it is a little behind, this
 * margin saves the sweep a look.
 */
const CLOCK_MARGIN_MS = 200;

/** A sale and the moment at which orders of it are looked at, epoch ms. */
export type Ring = { saleId: string; at: number };

/** Returns the ring for an order of the sale. @param deadlineAt epoch ms */
export const ringFor = (saleId: string, deadlineAt: number): Ring => ({
  saleId,
  at: Math.ceil(deadlineAt / STEP_MS) * STEP_MS,
});

/**
 * Returns the events that release what is unpaid at these moments, one for each moment. An event with a future time
 * starts its function at that time: a timer that costs nothing until then. The executor takes an id once, so that
 * setting the same rings again changes nothing.
 */
export function dueTimers(rings: readonly Ring[]) {
  return [...groupBy(rings, ({ at }) => at)].map(([at, ofMoment]) => {
    const saleIds = saleIdsOf(ofMoment).sort();
    const id = eventId('orders/due', [String(at), ...saleIds]);
    return ordersDue.create({ saleIds }, { id, ts: at + CLOCK_MARGIN_MS });
  });
}
