import 'server-only';
import { authorize } from '@/lib/account/authorize';
import { recentUser } from '@/lib/account/recent-user';
import type { CurrentUser } from '@/lib/account/types';
import { findBlock } from '@/lib/block/find-block';
import { countRefusal } from '@/lib/device/count-refusal';
import { identifyDevice } from '@/lib/device/identify-device';
import { problemReply } from '@/lib/http/problem';
import type { Reply } from '@/lib/http/reply';
import type { RequestHead } from '@/lib/http/request-head';
import { rememberRefusal } from '@/lib/refusal/remember-refusal';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';

const NO_HEADERS = {};

export type EntryRequest = RequestHead & {
  saleId: string;
  /** As it came; empty without one. */
  body: string;
  /** The client's, as far as it is known. */
  address: string | null;
};

export type Shopper = CurrentUser & {
  /** Empty if the browser has not shown that it keeps our cookie. */
  device: string;
};

/**
 * Guards everything a shopper does before the purchase. The shopper must be signed in and come from our own pages,
 * and neither account, device nor address may be blocked.
 * @param address the client's address, as far as it is known
 * @param entryTo the sale, if the request asks for entry to one; a refusal is then remembered, and the user may be the
 *   one of a second ago
 * @returns the shopper and the headers to answer with (a cookie, for a device that has none), or the refusal: 401
 *   UNAUTHENTICATED, 403 CSRF, 403 BLOCKED.
 */
export async function admitShopper(
  request: RequestHead,
  address: string | null,
  entryTo?: string,
): Promise<{ ok: true; user: Shopper; headers: Record<string, string> } | { ok: false; reply: Reply }> {
  const auth = await authorize(request, 'user', entryTo === undefined ? undefined : recentUser);
  if (!auth.ok) return auth;
  const { deviceId: device, setCookie, refusal } = identifyDevice(request.headers);
  if (refusal) countRefusal(refusal);
  const block = findBlock({ userId: auth.user.userId, device, address: () => address });
  if (block) {
    // The requested address may name anything. A refusal is remembered only if it names a sale.
    const sale = entryTo === undefined ? null : await findSaleInfo(entryTo).catch(() => null);
    const { userId } = auth.user;
    if (sale) rememberRefusal({ saleId: sale.saleId, userId }, 'entry', 'BLOCKED', { risk: 'blocked' });
    return { ok: false, reply: problemReply('BLOCKED', { extra: { until: block.expiresAt } }) };
  }
  return {
    ok: true,
    user: { ...auth.user, device },
    headers: setCookie ? { 'set-cookie': setCookie } : NO_HEADERS,
  };
}
