import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { unknownReply } from '@/lib/redis/parse-reply';
import { runScript } from '@/lib/redis/run-script';
import { checkId, checkStockId } from './check-ids';

const SCRIPT = 'put-allowance-1';

/** The units, from 0, that a user may have in one sale of a campaign. `number` rises with each change of the user's. */
export type Allowance = { userId: string; units: number; number: bigint };

/**
 * Tells Redis how many units a user may have in the stock that `stockId` names. Call it only with what Postgres has
 * committed: the latest number counts, in whatever order and however often changes come.
 * @returns `late`: Redis has a later change. Postgres has it too, or will in a moment, or it was rolled back there.
 * @throws TypeError on impossible ids, connection errors.
 */
export async function putAllowance(
  stockId: string,
  { userId, units, number }: Allowance,
): Promise<'put' | 'known' | 'late'> {
  checkStockId(stockId);
  checkId('userId', userId);
  const reply = await runScript(
    stockRedis(),
    SCRIPT,
    [keys.allowances(stockId)],
    [userId, units, String(number)],
  );
  switch (reply[0]) {
    case 'put':
    case 'known':
    case 'late':
      return reply[0];
    default:
      throw unknownReply(SCRIPT, reply);
  }
}

/** Forgets what all users may have in a stock; for a load, before it puts what Postgres has. @throws connection errors */
export async function dropAllowances(stockId: string): Promise<void> {
  checkStockId(stockId);
  await stockRedis().unlink(keys.allowances(stockId));
}
