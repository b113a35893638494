import 'server-only';
import { ROLES } from '@/lib/contract/words/roles';
import { db } from '@/lib/db/client';
import { joinReads } from '@/lib/db/join-reads';
import { keptQuery } from '@/lib/db/kept-query';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';
import type { CurrentUser } from '../types';
import { toLocale } from '../user-locale';
import { lifetimeOf } from './lifetimes';
import type { SessionClaims } from './session-token';

/** The use of a session is written down no more often than this. */
const SEEN_EVERY_MS = 5 * 60_000;

type Row = {
  session_id: string;
  id: string;
  email: string;
  name: string;
  role: string;
  level: number;
  locale: string;
  is_demo: boolean;
  created_at: Date;
  email_verified_at: Date | null;
  second_factor_at: Date | null;
  expires_at: Date;
  last_seen_at: Date;
  confirmed_at: Date;
};

const readRow = joinReads(async (sessionIds: string[]) => {
  const rows = await keptQuery<Row>`
    SELECT s.id AS session_id, u.id, u.email, u.name, u.role, l.level, u.locale, u.is_demo, u.created_at,
           u.email_verified_at, u.second_factor_at, s.expires_at, s.last_seen_at,
           s.confirmed_at
    FROM sessions s JOIN users u ON u.id = s.user_id AND u.session_version = s.session_version
    CROSS JOIN LATERAL level_of(u.id, u.level) l
    WHERE s.id = ANY (${sessionIds}::text[]) AND s.ended_at IS NULL AND s.expires_at > now()
      AND u.banned_at IS NULL`;
  return new Map(rows.map((row) => [row.session_id, row]));
});

/**
 * Returns the user of a session, or null: if the session has ended, has reached its longest life or was idle too
 * long; or if the account is banned or has ended all its sessions. Reads the database for every request, so that
 * changes act at once; a crowd that comes together shares its queries.
 */
export async function readSession({
  sub,
  sid,
}: Pick<SessionClaims, 'sub' | 'sid'>): Promise<CurrentUser | null> {
  const row = await readRow(sid);
  if (row?.id !== sub || (row.is_demo && !env().isDemo)) return null;
  const role = ROLES.find((known) => known === row.role);
  if (!role) throw new Error(`user ${row.id} has the unknown role ${row.role}`);
  const unseenMs = Date.now() - row.last_seen_at.getTime();
  if (unseenMs > lifetimeOf(role).idleMs) return null;
  if (unseenMs > SEEN_EVERY_MS) await noteSeen(sid);
  return {
    userId: row.id,
    email: row.email,
    name: row.name,
    role,
    level: row.level,
    locale: toLocale(row.locale),
    createdAt: row.created_at.getTime(),
    emailVerifiedAt: row.email_verified_at?.getTime() ?? null,
    hasSecondFactor: row.second_factor_at !== null,
    session: {
      id: sid,
      expiresAt: row.expires_at.getTime(),
      confirmedAt: row.confirmed_at.getTime(),
    },
  };
}

/**
 * Notes that a session was used. Of many requests at once one writes. If the write fails, the request is served all
 * the same.
 */
async function noteSeen(sessionId: string): Promise<void> {
  const before = new Date(Date.now() - SEEN_EVERY_MS);
  await db()
    .session.updateMany({
      where: { id: sessionId, lastSeenAt: { lt: before } },
      data: { lastSeenAt: new Date() },
    })
    .catch((err: unknown) => log.warn({ err }, 'a session was used and could not be marked so'));
}
