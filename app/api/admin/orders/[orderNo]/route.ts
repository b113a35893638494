import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { fieldsProblem } from '@/lib/http/read-json';
import { changeOrderPrice } from '@/lib/order/admin/change-order-price';
import { readOrderDetail } from '@/lib/order/admin/read-order-detail';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(
    contract.readManagedOrder,
    async ({ user, params, refuse }) =>
      (await readOrderDetail(user, params.orderNo)) ?? refuse('ORDER_NOT_FOUND'),
  ),
  serve(contract.changeOrderPrice, async ({ user, params, body, refuse }) => {
    const result = await changeOrderPrice(user, params.orderNo, body);
    switch (result.status) {
      case 'changed':
        return result.order;
      case 'version_conflict':
        return refuse('VERSION_CONFLICT', {
          extra: { version: result.version, priceMinor: result.priceMinor },
        });
      case 'not_payable':
        return refuse('ORDER_NOT_PAYABLE', { detail: `The order is ${result.is}.` });
      case 'payment_opened':
        return refuse('PAYMENT_OPENED');
      case 'too_high':
        return fieldsProblem([
          { path: 'priceMinor', message: `the order would exceed ${result.maxAmountMinor}` },
        ]);
      case 'not_found':
        return refuse('ORDER_NOT_FOUND');
    }
  }),
);
