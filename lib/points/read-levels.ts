import 'server-only';
import type { Db } from '@/lib/db/client';

/** Returns the level that counts now for each of these accounts, by id: the highest of those given, earned and bought. */
export async function readLevels(client: Db, userIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await client.$queryRaw<{ id: string; level: number }[]>`
    SELECT u.id, l.level FROM users u CROSS JOIN LATERAL level_of(u.id, u.level) l
    WHERE u.id = ANY (${userIds}::text[])`;
  return new Map(rows.map(({ id, level }) => [id, level]));
}
