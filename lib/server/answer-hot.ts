import 'server-only';
import { identifyTokenHolder } from '@/lib/checkout/entry/identify-token-holder';
import { answerOrder } from '@/lib/checkout/order/answer-order';
import { purchase } from '@/lib/checkout/purchase/purchase';
import { readState } from '@/lib/checkout/sales/read-state';
import type { Reply } from '@/lib/http/reply';
import type { HotRoute } from './match-route';

/**
 * Asks for a hot route the same function that Next's route handler asks, for the same reply record; null = Next's.
 * @param entryToken header `X-Entry-Token`.
 * @param address who asks; called only where that matters.
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
      // Without a valid token it is the session that counts, and only Next reads sessions.
      const holder = identifyTokenHolder(entryToken);
      return holder && answerOrder(holder, route.orderNo);
    }
    // Events are a stream, pages come from memory in several encodings: none is one reply.
    case 'sales':
    case 'events':
    case 'page':
      return null;
  }
}
