import 'server-only';
import { env } from '@/lib/env';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { replyTime, unknownReply } from '@/lib/redis/parse-reply';
import { runScript } from '@/lib/redis/run-script';
import type { ReservationWindow, ReserveResult } from './types';

const SCRIPT = 'reserve-3';

/**
 * Reserves for a user, if the window is open by Redis's clock. Uses one script, so however many requests come at
 * once, each user gets one reservation, recorded together with its message for Postgres. Asking again tells
 * when the first reservation was made.
 * @returns `backlogged` while `SECKILL_BACKLOG_CAP` messages wait for Postgres; then nothing has changed.
 * @throws connection errors. Then the outcome is unknown; asking again tells it.
 */
export async function reserveInRedis(
  saleId: string,
  userId: string,
  { opensAt, closesAt }: ReservationWindow,
): Promise<ReserveResult | { status: 'backlogged' }> {
  const reply = await runScript(
    stockRedis(),
    SCRIPT,
    [keys.reserved(saleId), keys.unreserved(saleId), keys.reservations(saleId)],
    [userId, opensAt, closesAt, env().backlogCap],
  );
  switch (reply[0]) {
    case 'reserved':
    case 'already_reserved':
      return { status: reply[0], reservedAt: replyTime(SCRIPT, reply) };
    case 'not_open':
    case 'closed':
    case 'backlogged':
      return { status: reply[0] };
    default:
      throw unknownReply(SCRIPT, reply);
  }
}
