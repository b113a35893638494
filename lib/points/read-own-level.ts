import 'server-only';
import type { OwnLevel } from '@/lib/contract/shapes/level';
import { db } from '@/lib/db/client';
import { readPointsRules } from './read-level-rules';

type Standing = { level: number; given: number; points: number; ends_at: Date | null };

/** Reads the level that counts now for a user, and what leads to a higher one. @throws connection errors */
export async function readOwnLevel(userId: string): Promise<OwnLevel> {
  const [[standing], byPoints, memberships] = await Promise.all([
    db().$queryRaw<Standing[]>`
      SELECT l.level, u.level AS given,
             (SELECT coalesce(sum(p.points), 0)::float8 FROM points_entries p WHERE p.user_id = u.id) AS points,
             (SELECT m.ends_at FROM membership_ends m
              WHERE m.user_id = u.id AND m.level = l.level AND m.ends_at > now()) AS ends_at
      FROM users u CROSS JOIN LATERAL level_of(u.id, u.level) l WHERE u.id = ${userId}`,
    readPointsRules(),
    listMemberships(userId),
  ]);
  if (!standing) throw new Error(`there is no account ${userId}`);
  const { level, given, points, ends_at } = standing;
  const isLasting =
    given >= level || byPoints.some((rule) => rule.level === level && rule.minPoints <= points);
  return { level, until: isLasting ? null : (ends_at?.getTime() ?? null), points, byPoints, memberships };
}

/** Lists the memberships that the shop has, each with the next sale of it, by their names in the user's language. */
const listMemberships = (userId: string): Promise<OwnLevel['memberships']> =>
  db().$queryRaw`
    SELECT r.level, r.days, coalesce(p.texts -> u.locale ->> 'name', p.name) AS name,
           (SELECT s.slug FROM sales s WHERE s.product_id = r.product_id AND s.status = 'published' AND s.ends_at > now()
            ORDER BY s.starts_at LIMIT 1) AS slug
    FROM membership_rules r JOIN products p ON p.id = r.product_id JOIN users u ON u.id = ${userId}
    ORDER BY r.level, p.name`;
