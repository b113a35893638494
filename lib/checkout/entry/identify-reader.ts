import 'server-only';
import { currentUser } from '@/lib/account/current-user';
import type { OrderReader } from '../order/find-order';
import { identifyTokenHolder } from './identify-token-holder';

/** Returns who asks for an order: the holder of a valid entry token, else the signed-in user, else null. */
export async function identifyReader(entryToken: string | null): Promise<OrderReader | null> {
  const holder = identifyTokenHolder(entryToken);
  if (holder) return holder;
  const user = await currentUser();
  return user && { userId: user.userId };
}
