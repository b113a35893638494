import 'server-only';
import { failureReply } from '@/lib/http/failure-reply';
import { problemReply } from '@/lib/http/problem';
import type { Reply } from '@/lib/http/reply';
import { countRequest } from '@/lib/metrics/http-meter';
import { answerHot } from './answer-hot';
import type { createListPages } from './list-pages';
import type { HotRoute } from './match-route';
import type { PlainAnswer } from './plain-connections';
import type { WirePage } from './wire';

/** The client's headers about encodings and about the copy that it already has. */
type Wants = { acceptEncoding: string | undefined; ifNoneMatch: string | undefined };

/** Decides a hot request; null: the direct routes are tried, then Next. Its promise never rejects. */
export type DecideHot = (
  route: HotRoute,
  target: string,
  entryToken: string | null,
  body: string,
  wants: Wants,
  address: () => string | null,
) => PlainAnswer;

/** Creates the function that decides hot requests and counts them. @param maxInFlight that wait for a store; more get 503 */
export function createHotPath(lists: ReturnType<typeof createListPages>, maxInFlight: number): DecideHot {
  let inFlight = 0;
  return (route, target, entryToken, body, wants, address) => {
    if (inFlight >= maxInFlight) {
      countRequest(route.name, 503, 0);
      return problemReply('UNAVAILABLE');
    }
    const askedAt = performance.now();
    const reply =
      route.name === 'sales'
        ? lists.find(route.query, wants.acceptEncoding, wants.ifNoneMatch)
        : answerHot(route, entryToken, body, address);
    if (!(reply instanceof Promise)) {
      if (reply) countRequest(route.name, reply.status, performance.now() - askedAt);
      return reply;
    }
    inFlight += 1;
    const end = (done: Reply | WirePage) => {
      inFlight -= 1;
      countRequest(route.name, done.status, performance.now() - askedAt);
      return done;
    };
    return reply.then(end, (error: unknown) => end(failureReply(error, target)));
  };
}
