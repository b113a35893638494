import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { answerOrder } from '@/lib/checkout/order/answer-order';
import * as contract from '@/lib/contract/operations';
import { toResponse } from '@/lib/http/reply';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readOrder, async ({ user, params }) => toResponse(await answerOrder(user, params.orderNo))),
);
