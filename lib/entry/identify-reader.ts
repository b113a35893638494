import 'server-only';
import { currentUser } from '@/lib/account/current-user';
import type { HeaderReader } from '@/lib/http/request-head';
import type { OrderReader } from '@/lib/order/find-order';
import { identifyTokenHolder } from './identify-token-holder';

/** Returns who asks for an order: the holder of a valid entry token, else the signed-in user, else null. */
export async function identifyReader(headers: HeaderReader): Promise<OrderReader | null> {
  const holder = identifyTokenHolder(headers.get('x-entry-token'));
  if (holder) return holder;
  const user = await currentUser(headers);
  return user && { userId: user.userId };
}
