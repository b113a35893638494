import type { Actor } from '@/lib/actor/actor';
import type { ShopRole, ShopTopic } from '@/lib/contract/words/shop';
import { db } from '@/lib/db/client';
import { makeUser } from './make-sale';

/** Creates a merchant who is a member of a shop and opens none. @param topics left out: all */
export async function makeMember(
  shopId: string,
  role: ShopRole = 'editor',
  topics?: ShopTopic[],
): Promise<Actor> {
  const { userId } = await makeUser();
  await db().shopMember.create({
    data: { shopId, userId, role, addedBy: shopId, ...(topics && { topics }) },
  });
  await db().user.update({ where: { id: userId }, data: { role: 'merchant' } });
  return { userId, role: 'merchant' };
}
