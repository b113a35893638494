import 'server-only';
import type { IncomingMessage } from 'node:http';
import { answerOrder } from '@/lib/checkout/answer-order';
import { identifyTokenHolder } from '@/lib/checkout/identify-token-holder';
import { purchase } from '@/lib/checkout/purchase';
import { readState } from '@/lib/checkout/read-state';
import { problemReply } from '@/lib/http/problem';
import type { Reply } from '@/lib/http/reply';
import { LIMITS } from './limits';
import type { HotRoute } from './match-route';
import { readBody } from './read-body';

const ENTRY_TOKEN = 'x-entry-token';

/** The fast lane's adapter: from a request on a hot route to the same reply record the route handler gets; null = Next's. */
export function answerHot(route: HotRoute, request: IncomingMessage): Promise<Reply> | null {
  switch (route.name) {
    case 'purchase':
      return answerPurchase(route, request);
    case 'state':
      return readState(route.saleId, route.isForClock);
    case 'order': {
      // Without a valid token it is the session that counts, and only Next reads sessions.
      const holder = identifyTokenHolder(headerOf(request, ENTRY_TOKEN));
      return holder && answerOrder(holder, route.orderNo);
    }
    case 'page':
      return null;
  }
}

async function answerPurchase(
  { saleId, gate }: { saleId: string; gate: string },
  request: IncomingMessage,
): Promise<Reply> {
  const body = await readBody(request, LIMITS.maxPurchaseBodyBytes);
  if (body === null) return problemReply('TOO_LARGE');
  return purchase({ saleId, gate, entryToken: headerOf(request, ENTRY_TOKEN), body });
}

function headerOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}
