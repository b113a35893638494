import { answerOrder } from '@/lib/checkout/order/answer-order';
import * as contract from '@/lib/contract/operations';
import { toResponse } from '@/lib/http/reply';
import { serve } from '../serve';

export const servedOrder = serve(contract.readOrder, async ({ user, params }) =>
  toResponse(await answerOrder(user, params.orderNo)),
);
