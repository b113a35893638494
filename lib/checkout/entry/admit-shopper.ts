import 'server-only';
import { authorize } from '@/lib/account/authorize';
import type { CurrentUser } from '@/lib/account/types';
import { findBlock } from '@/lib/block/find-block';
import { countRefusal } from '@/lib/device/count-refusal';
import { identifyDevice } from '@/lib/device/identify-device';
import { problem } from '@/lib/http/problem';
import { findSaleInfo } from '@/lib/sale/find-sale-info';
import { rememberRefusal } from '../purchase/remember-refusal';

export type Shopper = CurrentUser & {
  /** Empty if the browser has not shown that it keeps our cookie. */
  device: string;
};

/**
 * The gate of everything a shopper does ahead of the purchase: signed in, from our own pages, and not blocked, neither
 * the account nor the device nor the address.
 * @param address who sends it, as far as is known
 * @param entryTo the sale that is asked for entry, if it is that: a refusal is remembered
 * @returns the shopper and the headers to answer with (a cookie, for a device that has none), or the refusal: 401
 *   UNAUTHENTICATED, 403 CSRF, 403 BLOCKED.
 */
export async function admitShopper(
  request: Request,
  address: string | null,
  entryTo?: string,
): Promise<{ ok: true; user: Shopper; headers: Record<string, string> } | { ok: false; response: Response }> {
  const auth = await authorize(request);
  if (!auth.ok) return auth;
  const { deviceId: device, setCookie, refusal } = identifyDevice(request.headers);
  if (refusal) countRefusal(refusal);
  const block = findBlock({ userId: auth.user.userId, device, address: () => address });
  if (block) {
    // An address may name anything: only what is a sale is worth remembering.
    const sale = entryTo === undefined ? null : await findSaleInfo(entryTo).catch(() => null);
    const { userId } = auth.user;
    if (sale) rememberRefusal({ saleId: sale.saleId, userId }, 'entry', 'BLOCKED', { risk: 'blocked' });
    return { ok: false, response: problem('BLOCKED', { extra: { until: block.expiresAt } }) };
  }
  return { ok: true, user: { ...auth.user, device }, headers: setCookie ? { 'set-cookie': setCookie } : {} };
}
