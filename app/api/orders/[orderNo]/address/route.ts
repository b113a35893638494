import { checkAddress } from '@/lib/address/check-address';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import * as contract from '@/lib/contract/operations';
import { giveAddress } from '@/lib/delivery/give-address';
import { readDelivery } from '@/lib/delivery/records/read-delivery';
import { listAddresses } from '@/lib/delivery/saved-addresses';
import { fieldsProblem } from '@/lib/http/read-json';
import { parseOrderNo } from '@/lib/ids/order-no';
import { findOrder } from '@/lib/order/find-order';

const readStand = async (userId: string, orderNo: string) => {
  const [delivery, saved] = await Promise.all([readDelivery(orderNo), listAddresses(userId)]);
  return { address: delivery?.address ?? null, saved };
};

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readOrderAddress, async ({ user: { userId }, params: { orderNo }, refuse }) => {
    const isOwn = parseOrderNo(orderNo) !== null && (await findOrder({ userId }, orderNo)) !== null;
    return isOwn ? readStand(userId, orderNo) : refuse('ORDER_NOT_FOUND');
  }),
  serve(contract.putOrderAddress, async ({ user, params: { orderNo }, body, refuse }) => {
    if (parseOrderNo(orderNo) === null) return refuse('ORDER_NOT_FOUND');
    const checked = checkAddress(body.address);
    if (!checked.ok) return fieldsProblem(checked.fields);
    switch (await giveAddress(user, orderNo, checked.address, body.save)) {
      case 'kept':
        return readStand(user.userId, orderNo);
      case 'fixed':
        return refuse('ADDRESS_FIXED');
      case 'not_shipped':
        return refuse('NOT_SHIPPED_THERE');
      case 'price_fixed':
        return refuse('SHIPPING_FIXED');
      case 'no_parcel':
        return refuse('NO_PARCEL');
      case 'too_early':
        return refuse('ORDER_NOT_WRITTEN');
      case 'signed_out':
        return refuse('UNAUTHENTICATED');
      case 'not_found':
        return refuse('ORDER_NOT_FOUND');
    }
  }),
);
