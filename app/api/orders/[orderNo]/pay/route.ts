import { pageAddress } from '@/i18n/page-address';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { parseOrderNo } from '@/lib/ids/order-no';
import { payOrder } from '@/lib/payment/pay-order';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.payOrder, async ({ user, params, query, refuse }) => {
    if (parseOrderNo(params.orderNo) === null) return refuse('ORDER_NOT_FOUND');
    const returnPath = pageAddress(`/orders/${params.orderNo}`, query.locale);
    const result = await payOrder(user.userId, params.orderNo, returnPath);
    switch (result.status) {
      case 'payable':
        return { paymentId: result.paymentId, redirectUrl: result.redirectUrl };
      case 'provider_silent':
        return refuse('PAYMENT_UNAVAILABLE');
      case 'address_missing':
        return refuse('ADDRESS_MISSING');
      case 'not_payable':
        return refuse('ORDER_NOT_PAYABLE');
      case 'not_found':
        return refuse('ORDER_NOT_FOUND');
    }
  }),
);
