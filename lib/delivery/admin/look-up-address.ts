import 'server-only';
import { type Actor, mayManage } from '@/lib/actor/actor';
import { recordLook } from '@/lib/audit/record-look';
import type { Address } from '@/lib/contract/shapes/address';
import { may } from '@/lib/contract/words/roles';
import { readDelivery } from '@/lib/delivery/records/read-delivery';
import { NotAllowedError } from '@/lib/errors/not-allowed-error';
import { findManagedOrder } from '@/lib/order/admin/find-managed-order';

/**
 * Shows staff where an order goes. The look is in the audit log before anything is shown, and in the person's own data. It is for
 * those who work in the shop, and for those who help people.
 * @returns undefined: no order has this number, or it is another shop's; null: no address was given, or it was forgotten
 * @throws NotAllowedError for everybody else who sees the order
 */
export async function lookUpAddress(actor: Actor, orderNo: string): Promise<Address | null | undefined> {
  const found = await findManagedOrder(actor, orderNo);
  if (!found) return undefined;
  const mayLook = may(actor.role, 'helpPeople') || (await mayManage(actor, found.shopId, 'work'));
  if (!mayLook) throw new NotAllowedError('FORBIDDEN', 'work');
  await recordLook(actor, 'person.address', found.userId, { orderNo });
  return (await readDelivery(orderNo))?.address ?? null;
}
