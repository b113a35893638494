import type { Reply } from '@/lib/http/reply';
import { answerOrder } from '@/lib/order/answer-order';
import { decideWaiting } from '@/lib/queue-strategy/decide-waiting';

/**
 * For tests: what a shopper ends up with. A purchase that waits in a queue is decided, as a worker does, and the answer to its
 * order, as the page asks for it, takes the place of "undecided".
 */
export async function decided(sale: { saleId: string; epoch: number }, userId: string, reply: Reply) {
  const body = JSON.parse(reply.body.toString());
  if (body.status !== 'undecided') return { http: reply.status, headers: reply.headers, ...body };
  while ((await decideWaiting(sale)) > 0);
  const answer = await answerOrder({ userId, saleId: sale.saleId }, body.orderNo);
  const found = JSON.parse(answer.body.toString());
  if (answer.status !== 200) return { http: answer.status, headers: answer.headers, ...found };
  return {
    http: 202,
    headers: reply.headers,
    orderNo: found.orderNo,
    // An order may have been written meanwhile.
    status: found.status === 'undecided' ? 'undecided' : 'queued',
    replay: body.replay,
  };
}
