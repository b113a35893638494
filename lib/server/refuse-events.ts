import { problemReply } from '@/lib/http/problem';
import type { Reply } from '@/lib/http/reply';
import { refuseOff } from '@/lib/switchboard/refuse-off';
import type { JoinResult } from './join-sale';

const RETRY_MIN_MS = 5_000;
const RETRY_SPREAD_MS = 10_000;

/** Returns the answer for a reader that was not admitted; its page then polls. Null if it was admitted. */
export function refuseEvents(result: JoinResult): Reply | null {
  switch (result.status) {
    case 'refused':
      return problemReply(result.code);
    case 'full':
      return problemReply('UNAVAILABLE', {
        detail: 'There are too many streams here; ask for the state instead',
        retryAfterMs: Math.round(RETRY_MIN_MS + RETRY_SPREAD_MS * Math.random()),
      });
    case 'off':
      return refuseOff('streams');
    default:
      return null;
  }
}
