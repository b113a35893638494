import 'server-only';
import { db } from '@/lib/db/client';

/** The facts about an account that decide whether it may take part in a sale. Times in epoch ms. */
type MemberNow = {
  level: number;
  createdAt: number;
  /** Null: not verified. */
  emailVerifiedAt: number | null;
  isBanned: boolean;
};

type Row = {
  id: string;
  level: number;
  created_at: Date;
  email_verified_at: Date | null;
  is_banned: boolean;
};

/** Reads accounts as they are now, by id; an account that is gone is left out. @throws connection errors */
export async function readMembers(userIds: readonly string[]): Promise<Map<string, MemberNow>> {
  const rows = await db().$queryRaw<Row[]>`
    SELECT u.id, l.level, u.created_at, u.email_verified_at, u.banned_at IS NOT NULL AS is_banned
    FROM users u CROSS JOIN LATERAL level_of(u.id, u.level) l WHERE u.id = ANY (${userIds}::text[])`;
  return new Map(
    rows.map(({ id, level, created_at, email_verified_at, is_banned }) => [
      id,
      {
        level,
        createdAt: created_at.getTime(),
        emailVerifiedAt: email_verified_at?.getTime() ?? null,
        isBanned: is_banned,
      },
    ]),
  );
}
