import 'server-only';
import type { LevelRule } from '@/lib/contract/shapes/level';
import { type Db, db } from '@/lib/db/client';

/** Returns which level so many points earn, the lowest first. */
export const readLevelRules = (client: Db = db()): Promise<LevelRule[]> =>
  client.levelRule.findMany({ orderBy: { level: 'asc' } });
