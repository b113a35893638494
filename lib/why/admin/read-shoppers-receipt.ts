import 'server-only';
import { findUserId } from '@/lib/account/find-user-id';
import { type Actor, maySee, seesAll } from '@/lib/actor/actor';
import type { LogReceipt } from '@/lib/contract/shapes/decision-log';
import { readLogReceipt } from '@/lib/decision-log/read-log-receipt';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';

type Found =
  | { status: 'found'; receipt: LogReceipt }
  | { status: 'sale_not_found' | 'user_not_found' | 'not_ready' };

/** Reads a shopper's receipt for staff who answer them. @param user id or e-mail address */
export async function readShoppersReceipt(actor: Actor, saleId: string, user: string): Promise<Found> {
  const [sale, userId] = await Promise.all([findSaleInfo(saleId), findUserId(user)]);
  if (!sale || !(await maySee(actor, sale.merchantId))) return { status: 'sale_not_found' };
  const receipt = userId === null ? null : await readLogReceipt(saleId, userId);
  if (receipt) return { status: 'found', receipt };
  // Otherwise anyone with a sale could find out who has an account.
  return { status: userId === null || !seesAll(actor) ? 'user_not_found' : 'not_ready' };
}
