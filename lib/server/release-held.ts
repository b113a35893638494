import 'server-only';
import { writeSecurityLog } from '@/lib/access/write-security-log';
import { stopWatchingEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { stopWatchingBlocks } from '@/lib/block/watch-blocks';
import { closeDb } from '@/lib/db/client';
import { closeAllocations } from '@/lib/fallback/stock-place';
import { stopWatchingLeftTurns } from '@/lib/line/records/left-turns';
import { flushAttempts } from '@/lib/metrics/attempts';
import { giveUpOrderNos } from '@/lib/order/records/keep-order-nos';
import { closeRedis } from '@/lib/redis/client';
import { flushRefusals } from '@/lib/refusal/note-refusal';
import { stopRisk } from '@/lib/risk/evaluate-risk';
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
