import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { answerRequest } from '@/lib/approval/answer-decision';
import { refundOrAsk } from '@/lib/approval/refund-or-ask';
import * as contract from '@/lib/contract/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.refundOrder, async ({ user, params, body, refuse }) => {
    const result = await refundOrAsk(user, params.orderNo, body);
    switch (result.status) {
      case 'refunded':
        return result.order;
      case 'pending':
      case 'other_pending':
        return answerRequest(result);
      case 'not_refundable':
        return refuse('ORDER_NOT_REFUNDABLE', {
          detail: `The order is ${result.is}.`,
          extra: { is: result.is },
        });
      case 'not_found':
        return refuse('ORDER_NOT_FOUND');
    }
  }),
);
