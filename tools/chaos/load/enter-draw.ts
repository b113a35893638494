import { setTimeout as sleep } from 'node:timers/promises';
import { askAboutPlace, isWorthAsking } from './ask-about-place';
import { joinLine, leaveLine } from './join-line';
import type { Visit } from './shopper';
import { waitOnList } from './wait-on-list';

const POLL_MS = 500;

/** The id of the purchase that somebody's place in a draw may become. */
const jtiOf = (number: number, saleId: string): string => `draw_${number}_${saleId}`;

/**
 * Enters a draw and waits for its result, and for what comes back if it was nothing. Some leave again before the draw, and
 * some of those come back.
 * @returns the order's number; null: none
 */
export async function enterDraw(shopper: Visit): Promise<string | null> {
  const { plan, sale, closesAt } = shopper;
  let place = await joinLine(shopper);
  if (place && plan.leavesAfterMs !== null && Date.now() + plan.leavesAfterMs < sale.startsAt) {
    await sleep(plan.leavesAfterMs);
    await leaveLine(shopper);
    place = plan.buysTwice ? await joinLine(shopper) : null;
  }
  if (place?.number == null) return null;
  const { number, askedAt } = place;
  await sleep(Math.max(0, sale.startsAt - Date.now()));
  while (Date.now() < closesAt) {
    const { entry, body } = await askAboutPlace(shopper, { of: 'line', act: 'look' });
    const draw = body.draw as { isFinal?: boolean; passedOver?: string | null } | null | undefined;
    if (draw?.passedOver) return null;
    if (draw?.isFinal) {
      const given = await waitOnList(shopper, null, { jti: jtiOf(number, sale.saleId), askedAt });
      return given === 'for_sale' ? null : given;
    }
    if (entry.httpStatus !== 200 && !isWorthAsking(entry)) return null;
    await sleep(POLL_MS);
  }
  return null;
}
