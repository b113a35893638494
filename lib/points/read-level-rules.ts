import 'server-only';
import type { LevelRules } from '@/lib/contract/shapes/level';
import { type Db, db } from '@/lib/db/client';

/** Returns which level so many points earn, the lowest first. */
export const readPointsRules = (client: Db = db()): Promise<LevelRules['byPoints']> =>
  client.levelRule.findMany({ orderBy: { level: 'asc' } });

/** Returns all rules by which shoppers earn levels, in a fixed order. */
export async function readLevelRules(client: Db = db()): Promise<LevelRules> {
  const byPoints = await readPointsRules(client);
  const byMembership = await client.membershipRule.findMany({
    orderBy: [{ level: 'asc' }, { productId: 'asc' }],
  });
  return { byPoints, byMembership };
}
