import { readSavedAddress } from '@/lib/account/saved-address';
import { checkAddress } from '@/lib/address/check-address';
import { routes } from '@/lib/api/routes';
import { serve } from '@/lib/api/serve';
import { findOrder } from '@/lib/checkout/order/find-order';
import { giveAddress } from '@/lib/checkout/order/give-address';
import * as contract from '@/lib/contract/operations';
import { fieldsProblem } from '@/lib/http/read-json';
import { parseOrderNo } from '@/lib/ids/order-no';
import { readAddress } from '@/lib/order/read-address';

const readStand = async (userId: string, orderNo: string) => {
  const [address, saved] = await Promise.all([readAddress(orderNo), readSavedAddress(userId)]);
  return { address, saved };
};

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  serve(contract.readOrderAddress, async ({ user: { userId }, params: { orderNo }, refuse }) => {
    const isOwn = parseOrderNo(orderNo) !== null && (await findOrder({ userId }, orderNo)) !== null;
    return isOwn ? readStand(userId, orderNo) : refuse('ORDER_NOT_FOUND');
  }),
  serve(contract.putOrderAddress, async ({ user: { userId }, params: { orderNo }, body, refuse }) => {
    if (parseOrderNo(orderNo) === null) return refuse('ORDER_NOT_FOUND');
    const checked = checkAddress(body.address, 'address.');
    if (!checked.ok) return fieldsProblem(checked.fields);
    switch (await giveAddress(userId, orderNo, checked.address, body.save)) {
      case 'kept':
        return readStand(userId, orderNo);
      case 'fixed':
        return refuse('ADDRESS_FIXED');
      case 'no_delivery':
        return refuse('NO_DELIVERY');
      case 'not_found':
        return refuse('ORDER_NOT_FOUND');
    }
  }),
);
