import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { unknownReply } from '@/lib/redis/parse-reply';
import { runScript } from '@/lib/redis/run-script';
import type { ReservationChange } from './types';

const SCRIPT = 'put-reservation-2';

/**
 * Sends Redis a user's reservation as Postgres has it. A later change that Redis has stays.
 * @throws connection errors; sending it again does no harm.
 */
export async function putReservation(saleId: string, change: ReservationChange): Promise<void> {
  const { userId, reservedAt, cancelledAt } = change;
  const reply = await runScript(
    stockRedis(),
    SCRIPT,
    [keys.reserved(saleId), keys.unreserved(saleId)],
    [userId, reservedAt, cancelledAt ?? ''],
  );
  switch (reply[0]) {
    case 'put':
    case 'known':
      return;
    default:
      throw unknownReply(SCRIPT, reply);
  }
}
