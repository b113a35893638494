import { answerSession } from '@/lib/access/answer-session';
import type { DirectRequest, DirectRoute } from '@/lib/server/direct-routes';
import { passedHeaders } from '@/lib/server/passed-headers';
import type { Served } from '../serve';
import { askForCalculation } from './ask-for-challenge';
import { servedUnread } from './count-unread';
import { enter } from './enter';
import { servedPlace } from './find-place';
import { servedReservation } from './find-reservation';
import { servedWaitlistPlace } from './find-waitlist-place';
import { join } from './join-line';
import { joinWaitlist } from './join-waitlist';
import { servedOrders } from './list-orders';
import { servedOrder } from './read-order';
import { servedVisit } from './read-visit';

/** Builds a question, which has no body, as Next would have got it. */
function toRequest({ target, raw }: DirectRequest): Request {
  const headers = new Headers();
  const passed = passedHeaders(raw, 0);
  for (let at = 0; at < passed.length; at += 2)
    headers.append(passed[at] as string, passed[at + 1] as string);
  return new Request(`http://localhost${target}`, { headers });
}

const question = ({ operation: { method, path }, answer }: Served): DirectRoute => ({
  method,
  path,
  answer: (request, params) => answer(toRequest(request), params),
});

/**
 * The operations that our server answers without Next: the entry, the calculation before it, a place on a waitlist, and what a page asks on every visit. The route
 * handlers in `app/api` bind the same functions, so that the answers are the same without our server in front.
 */
export const directRoutes: readonly DirectRoute[] = [
  enter,
  join,
  askForCalculation,
  joinWaitlist,
  {
    method: 'GET',
    path: '/api/auth/session',
    answer: ({ headers }) => answerSession(headers),
  },
  question(servedVisit),
  question(servedUnread),
  question(servedReservation),
  question(servedPlace),
  question(servedWaitlistPlace),
  question(servedOrders),
  question(servedOrder),
];
