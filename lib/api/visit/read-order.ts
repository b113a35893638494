import * as contract from '@/lib/contract/operations';
import { toResponse } from '@/lib/http/reply';
import { answerOrder } from '@/lib/order/answer-order';
import { serve } from '../serve';

export const servedOrder = serve(contract.readOrder, async ({ user, params }) =>
  toResponse(await answerOrder(user, params.orderNo)),
);
