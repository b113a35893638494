import { problemReply } from '@/lib/http/problem';
import type { Reply } from '@/lib/http/reply';
import type { JoinResult } from './join-sale';

const RETRY_MIN_MS = 5_000;
const RETRY_SPREAD_MS = 10_000;

/** What somebody gets who was not let in; the page then polls. Null if it was. */
export function refuseEvents(result: JoinResult): Reply | null {
  switch (result.status) {
    case 'refused':
      return problemReply(result.code);
    case 'full':
      return problemReply('UNAVAILABLE', {
        detail: 'There are too many streams here; ask for the state instead',
        retryAfterMs: Math.round(RETRY_MIN_MS + RETRY_SPREAD_MS * Math.random()),
      });
    default:
      return null;
  }
}
