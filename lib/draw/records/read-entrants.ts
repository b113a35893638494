import 'server-only';
import { db } from '@/lib/db/client';

/** A person in a draw, with the account as it is now. */
export type Entrant = {
  number: number;
  nonce: Uint8Array;
  /** The variant that is wished; 0: there is nothing to wish. */
  variant: number;
  userId: string;
  level: number;
  /** Epoch ms. */
  createdAt: number;
  /** Epoch ms; null: not verified. */
  emailVerifiedAt: number | null;
  hasLeft: boolean;
  isBanned: boolean;
  isBlocked: boolean;
};

type Row = {
  number: number;
  nonce: Uint8Array;
  variant: number;
  user_id: string;
  level: number;
  created_at: Date;
  email_verified_at: Date | null;
  has_left: boolean;
  is_banned: boolean;
  is_blocked: boolean;
};

const PAGE = 20_000;

/**
 * Reads everybody who joined a line, also who left it, in order of their numbers, in pages.
 * @throws Error if a number is missing; connection errors
 */
export async function readEntrants(saleId: string): Promise<Entrant[]> {
  const entrants: Entrant[] = [];
  for (;;) {
    const from = entrants.length;
    const rows = await db().$queryRaw<Row[]>`
      SELECT e.number, e.nonce, e.variant, e.user_id, l.level, u.created_at, u.email_verified_at, e.left_at IS NOT NULL AS has_left,
             u.banned_at IS NOT NULL AS is_banned,
             EXISTS (SELECT FROM blocks b WHERE b.kind = 'user' AND b.value = e.user_id AND b.lifted_at IS NULL
                       AND (b.expires_at IS NULL OR b.expires_at > now())) AS is_blocked
      FROM line_entries e JOIN users u ON u.id = e.user_id CROSS JOIN LATERAL level_of(u.id, u.level) l
      WHERE e.sale_id = ${saleId} AND e.number >= ${from} ORDER BY e.number LIMIT ${PAGE}`;
    for (const row of rows) {
      if (row.number !== entrants.length) throw new Error(`${saleId} has no number ${entrants.length}`);
      entrants.push(toEntrant(row));
    }
    if (rows.length < PAGE) return entrants;
  }
}

const toEntrant = (row: Row): Entrant => ({
  number: row.number,
  nonce: row.nonce,
  variant: row.variant,
  userId: row.user_id,
  level: row.level,
  createdAt: row.created_at.getTime(),
  emailVerifiedAt: row.email_verified_at?.getTime() ?? null,
  hasLeft: row.has_left,
  isBanned: row.is_banned,
  isBlocked: row.is_blocked,
});
