import 'server-only';
import { env } from '@/lib/env';
import { isPrivateHost } from '@/lib/settings/kinds';

/**
 * Tells why heads of a sale may not go to an address whose form is right; null if they may. What its name leads to is
 * checked each time it is asked.
 */
export function refuseAddress(address: string | null): string | null {
  if (address === null || env().saleWebhookPrivate) return null;
  if (new URL(address).protocol !== 'https:') return 'must begin with https://';
  return isPrivateHost(address) ? 'must not be an address of a private network' : null;
}
