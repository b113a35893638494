import { limitMs } from '@/lib/time-limits';

/** How soon after an unfilled event the next one may leave, ms. */
const SHORTEST_MS = 100;
/** How often to ask what is written, ms. */
const ASK_EVERY_MS = 50;

/**
 * Says when the outboxes are to be read again. One for all order relay loops of a process, and one for each topic of the
 * message relay. Every `now` is ms of a clock that never goes back.
 */
export interface Pace {
  /** Returns how long to leave the outboxes alone, ms; 0: they may be read now. */
  waitMs(now: number): number;
  /**
   * Notes that an unfilled event is leaving: the next one collects meanwhile.
   * @param orderNo one of its orders: once it is written, the next event may leave
   */
  hold(now: number, orderNo?: string): void;
  /** Returns the order to ask about now, if there is one, and notes that it was asked. */
  takeAwaited(now: number): string | undefined;
  /** Notes that these orders are written. */
  release(orderNos: ReadonlySet<string>): void;
}

/**
 * Makes purchases that trickle share events: an event costs the same for one order as for five hundred, and twenty a
 * second took seconds to be written. After a pause the first purchase leaves at once, the next ones a tenth of a second
 * later. They also wait, a second at most, until the event before them is written.
 */
export function createPace(): Pace {
  const NONE = Number.NEGATIVE_INFINITY;
  let hold: { from: number; until: number; orderNo?: string } = { from: NONE, until: NONE };
  let askedAt = NONE;
  return {
    waitMs(now) {
      if (now < hold.from) return hold.from - now;
      if (now >= hold.until || hold.orderNo === undefined) return 0;
      return Math.min(hold.until - now, ASK_EVERY_MS);
    },
    hold(now, orderNo) {
      hold = { from: now + SHORTEST_MS, until: now + limitMs('eventWritten'), orderNo };
    },
    takeAwaited(now) {
      if (now < hold.from || now - askedAt < ASK_EVERY_MS) return;
      askedAt = now;
      return hold.orderNo;
    },
    release(orderNos) {
      if (hold.orderNo !== undefined && orderNos.has(hold.orderNo)) hold.orderNo = undefined;
    },
  };
}
