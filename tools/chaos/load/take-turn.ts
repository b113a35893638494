import { setTimeout as sleep } from 'node:timers/promises';
import type { EntryToken } from '@/tools/harness/issue-entry-token';
import { askAboutPlace, isWorthAsking } from './ask-about-place';
import { tokenIn } from './enter';
import { joinLine, leaveLine } from './join-line';
import type { Visit } from './shopper';

/** The page's own pace is slower; a round is short. */
const POLL_MS = [300, 700] as const;

/**
 * Waits in a waiting room and enters when the turn has come. Some reload meanwhile, some give their place up and join again.
 * @returns the token; null: the turn did not come before the round closed
 */
export async function takeTurn(shopper: Visit): Promise<EntryToken | null> {
  const { plan, random, closesAt } = shopper;
  if (!(await joinLine(shopper))) return null;
  let leavesAt = plan.leavesAfterMs === null ? Number.POSITIVE_INFINITY : Date.now() + plan.leavesAfterMs;
  while (Date.now() < closesAt) {
    if (Date.now() >= leavesAt) {
      leavesAt = Number.POSITIVE_INFINITY;
      await leaveLine(shopper);
      if (!plan.buysTwice || !(await joinLine(shopper))) return null;
    }
    if (random.chance(0.2)) await askAboutPlace(shopper, { of: 'line', act: 'look' });
    const { entry, body } = await askAboutPlace(shopper, { of: 'line', act: 'enter' });
    const token = tokenIn(body);
    if (token) return token;
    if (entry.code === 'TURN_OVER') {
      if (!(await joinLine(shopper))) return null;
    } else if (!isWorthAsking(entry) && entry.code !== 'NOT_ADMITTED') return null;
    await sleep(random.int(...POLL_MS));
  }
  return null;
}
