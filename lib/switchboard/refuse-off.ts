import 'server-only';
import type { SideFeature } from '@/lib/contract/words/side-feature';
import { problemReply } from '@/lib/http/problem';
import type { Reply } from '@/lib/http/reply';
import { isOn } from './is-on';

const RETRY_MIN_MS = 15_000;
const RETRY_SPREAD_MS = 30_000;

/** Returns when somebody who was sent away should ask again: spread, so that they don't all come back at once. */
export const comeBackInMs = (): number => Math.round(RETRY_MIN_MS + RETRY_SPREAD_MS * Math.random());

/** Returns the answer for what belongs to a side feature that is off just now; null while it is on. */
export function refuseOff(feature: SideFeature): Reply | null {
  if (isOn(feature)) return null;
  return problemReply('SWITCHED_OFF', { retryAfterMs: comeBackInMs(), extra: { feature } });
}
