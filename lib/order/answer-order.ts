import 'server-only';
import { type ProblemOptions, problemReply } from '@/lib/http/problem';
import { JSON_HEADERS, type Reply } from '@/lib/http/reply';
import { parseOrderNo } from '@/lib/ids/order-no';
import { refusalOf } from '@/lib/refusal/refusal-of';
import type { PurchaseResult } from '@/lib/stock/purchase-stock';
import { lookUpOrder, type OrderReader } from './find-order';

/**
 * Answers with a reader's order as a reply record, or with why a purchase of a sale with a queue became none. 404 also if
 * `orderNo` is no order number, or the order is someone else's.
 */
export async function answerOrder(reader: OrderReader, orderNo: string): Promise<Reply> {
  const found = parseOrderNo(orderNo) === null ? null : await lookUpOrder(reader, orderNo);
  switch (found?.status) {
    case 'found':
      return { status: 200, headers: JSON_HEADERS, body: JSON.stringify(found.order) };
    case 'refused':
      return answerRefused(found.result, found.limitPerUser);
    case 'not_decided':
      return problemReply('NOT_DECIDED');
    case undefined:
      return problemReply('ORDER_NOT_FOUND');
  }
}

function answerRefused(result: PurchaseResult, limitPerUser: number): Reply {
  switch (result.status) {
    case 'replayed': {
      const extra: ProblemOptions['extra'] = { orderNo: result.orderNo, limitPerUser };
      return problemReply('LIMIT_REACHED', { extra });
    }
    case 'accepted':
    case 'undecided':
      throw new Error(`${result.status} is no refusal`);
    default: {
      const { code, options } = refusalOf(result, { limitPerUser });
      return problemReply(code, options);
    }
  }
}
