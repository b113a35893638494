import 'server-only';
import { db } from '@/lib/db/client';
import { LOAD_USER } from '@/lib/ids/load-user';

const BATCH_SIZE = 10_000;
/** A number's least digits. */
const DIGITS = 7;

/** Returns the id of the n-th load-test user, n from 1. */
export const loadUserId = (n: number): string => `${LOAD_USER}${String(n).padStart(DIGITS, '0')}`;

/**
 * Makes sure that the load-test users `first` to `last` exist: shoppers `loadtest-0000001@example.com` …, with a hash
 * that no password has. Users of an earlier call are used again.
 * @param last 1 … 2,147,483,647
 */
export async function createLoadUsers(last: number, first = 1): Promise<void> {
  for (let from = first; from <= last; from += BATCH_SIZE) {
    const to = Math.min(from + BATCH_SIZE - 1, last);
    await db().$executeRaw`
      INSERT INTO users (id, email, name, password_hash)
      SELECT ${LOAD_USER} || digits, 'loadtest-' || digits || '@example.com', 'Load test ' || n, '!'
        FROM generate_series(${from}::int, ${to}::int) AS n,
          lpad(n::text, greatest(${DIGITS}, length(n::text)), '0') AS digits
      ON CONFLICT DO NOTHING`;
  }
}
