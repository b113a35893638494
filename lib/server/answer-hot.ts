import 'server-only';
import { identifyTokenHolder } from '@/lib/entry/identify-token-holder';
import type { Reply } from '@/lib/http/reply';
import { answerOrder } from '@/lib/order/answer-order';
import { purchase } from '@/lib/purchase/purchase';
import { readState } from '@/lib/sale/read-state';
import type { HotRoute } from './match-route';

/**
 * Answers a hot route with the same function, and so the same reply, as Next's route handler; null: the direct routes are tried, then Next.
 * @param entryToken header `X-Entry-Token`.
 * @param address returns the client's address; called only where that matters.
 */
export function answerHot(
  route: HotRoute,
  entryToken: string | null,
  body: string,
  address: () => string | null,
): Reply | Promise<Reply> | null {
  switch (route.name) {
    case 'purchase':
      return purchase({ saleId: route.saleId, gate: route.gate, entryToken, body, address });
    case 'state':
      return readState(route.saleId, route.isForClock);
    case 'order': {
      // The direct route reads the session, which decides if no token is valid.
      const holder = identifyTokenHolder(entryToken);
      return holder && answerOrder(holder, route.orderNo);
    }
    // Events are a stream, and pages come from memory in several encodings: neither is a single reply.
    case 'sales':
    case 'events':
    case 'page':
      return null;
  }
}
