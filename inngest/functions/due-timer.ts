import 'server-only';
import { ordersDue } from '../events';

/** Timers ring at full half seconds, so that all orders of a sale that are due within one share a timer. */
const STEP_MS = 500;
/**
 * How much later than that a timer rings. The database's clock decides what is due; if it is a little behind, this
 * margin saves the sweep a look.
 */
const CLOCK_MARGIN_MS = 200;

/**
 * Returns the event that releases what is unpaid in a sale at a deadline. An event with a future time starts its
 * function at that time: a timer that costs nothing until then. The executor takes an id once, so that a second event
 * for the same half second changes nothing.
 * @param deadlineAt epoch ms
 */
export function dueTimer(saleId: string, deadlineAt: number) {
  const ringsAt = Math.ceil(deadlineAt / STEP_MS) * STEP_MS;
  const id = `orders/due:${saleId}:${ringsAt}`;
  return { id, event: ordersDue.create({ saleId }, { id, ts: ringsAt + CLOCK_MARGIN_MS }) };
}
