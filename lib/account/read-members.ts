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

/** Reads accounts as they are now, by id; an account that is gone is left out. @throws connection errors */
export async function readMembers(userIds: readonly string[]): Promise<Map<string, MemberNow>> {
  const rows = await db().user.findMany({
    where: { id: { in: [...userIds] } },
    select: { id: true, level: true, createdAt: true, emailVerifiedAt: true, bannedAt: true },
  });
  return new Map(
    rows.map(({ id, level, createdAt, emailVerifiedAt, bannedAt }) => [
      id,
      {
        level,
        createdAt: createdAt.getTime(),
        emailVerifiedAt: emailVerifiedAt?.getTime() ?? null,
        isBanned: bannedAt !== null,
      },
    ]),
  );
}
