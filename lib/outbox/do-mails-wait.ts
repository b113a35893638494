import 'server-only';
import { db } from '@/lib/db/client';

/** Mails that may wait. More of them would hold up those about money. */
const MOST_WAITING = 1_000;

/** Tells whether so many mails wait that what could be mailed to thousands should wait, too. */
export async function doMailsWait(): Promise<boolean> {
  const [row] = await db().$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM outgoing_messages WHERE topic = 'mail' AND sent_at IS NULL LIMIT ${MOST_WAITING}) AS waiting`;
  return row?.count === MOST_WAITING;
}
