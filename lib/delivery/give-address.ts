import 'server-only';
import { lockOwner } from '@/lib/account/lock-owner';
import type { CurrentUser } from '@/lib/account/types';
import type { Address } from '@/lib/contract/shapes/address';
import { transaction } from '@/lib/db/transaction';
import { findOrder } from '@/lib/order/find-order';
import { chargeShipping, type ParcelRefusal } from './charge-shipping';
import { type PutAddressResult, putAddress } from './records/put-address';
import { noteUsed } from './saved-addresses';

/** `too_early`: the order is accepted and not written yet; `signed_out`: the session ended in the meantime. */
type GiveResult = PutAddressResult | ParcelRefusal | 'too_early' | 'signed_out';

/**
 * Says where a shopper's order goes: while it waits for payment, and after that until it is packed. What the parcel costs
 * there becomes a part of the amount.
 * @param address as `checkAddress` returned it
 * @param save whether the account keeps it, too
 */
export async function giveAddress(
  user: CurrentUser,
  orderNo: string,
  address: Address,
  save: boolean,
): Promise<GiveResult> {
  const { userId } = user;
  const given = await transaction(async (tx) => {
    if (!(await lockOwner(tx, user))) return 'signed_out';
    const refusal = await chargeShipping(tx, userId, orderNo, address.country);
    if (refusal) return refusal;
    const result = await putAddress(tx, userId, orderNo, address);
    if (result === 'kept') await noteUsed(tx, userId, address, save);
    return result;
  });
  if (given !== 'not_found') return given;
  const order = await findOrder({ userId }, orderNo);
  return order ? (order.status === 'failed' ? 'fixed' : 'too_early') : 'not_found';
}
