import 'server-only';
import { writeSecurityLog } from '@/lib/access/write-security-log';
import { stopWatchingEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { stopWatchingBlocks } from '@/lib/block/watch-blocks';
import { closeAllocations } from '@/lib/checkout/purchase/stock-place';
import { stopRisk } from '@/lib/checkout/risk/evaluate-risk';
import { closeDb } from '@/lib/db/client';
import { stopWatchingLeftTurns } from '@/lib/line/left-turns';
import { flushAttempts } from '@/lib/metrics/attempts';
import { giveUpOrderNos } from '@/lib/order/keep-order-nos';
import { closeRedis } from '@/lib/redis/client';
import { flushRefusals } from '@/lib/refusal/note-refusal';
import { stopWatchingSwitchboard } from '@/lib/switchboard/is-on';

/**
 * Writes what this process has only counted or noted in memory, evaluates its notes, closes the allocations, gives
 * the worker number back, and closes every connection.
 */
export async function releaseHeld(): Promise<void> {
  stopWatchingBlocks();
  stopWatchingEndedSessions();
  stopWatchingLeftTurns();
  await Promise.allSettled([
    flushAttempts(),
    flushRefusals(),
    writeSecurityLog(true),
    closeAllocations(),
    giveUpOrderNos(),
    stopRisk(),
  ]);
  stopWatchingSwitchboard();
  await Promise.allSettled([closeRedis(), closeDb()]);
}
