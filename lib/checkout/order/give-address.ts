import 'server-only';
import { saveAddress } from '@/lib/account/saved-address';
import type { Address } from '@/lib/contract/shapes/address';
import { transaction } from '@/lib/db/transaction';
import { type PutAddressResult, putAddress } from '@/lib/order/put-address';

/**
 * Says where a shopper's order goes: while it waits for payment, and after that until it is packed.
 * @param address as `checkAddress` returned it
 * @param save whether the account keeps it for the next order, too
 */
export const giveAddress = (
  userId: string,
  orderNo: string,
  address: Address,
  save: boolean,
): Promise<PutAddressResult> =>
  transaction(async (tx) => {
    const result = await putAddress(tx, userId, orderNo, address);
    if (result === 'kept' && save) await saveAddress(tx, userId, address);
    return result;
  });
