import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { MAX_BATCH } from './order-batch';
import { pause } from './pause';
import { readGroup } from './read-entries';
import type { Outboxes } from './run-relay';
import type { RawEntry } from './types';

/** How soon to look again after something came, ms; doubled with every look that finds nothing. */
const LOOK_MIN_MS = 10;
/** A sale that sells nothing costs its server ten looks a second for each relay. */
const LOOK_MAX_MS = 100;

/**
 * Makes a function that reads like `readEntries`, but each outbox by a command of its own: on a cluster no command may name
 * keys of several slots, not even on one server. So none of them waits in Redis; we look again and again.
 */
export function readApart(): Outboxes['read'] {
  let waitMs = LOOK_MIN_MS;
  return async (saleIds, { consumer, blockMs, lingerMs }) => {
    const until = performance.now() + blockMs;
    for (;;) {
      const batches = await readEach(saleIds, consumer);
      const count = [...batches.values()].reduce((sum, entries) => sum + entries.length, 0);
      if (count > 0) {
        waitMs = LOOK_MIN_MS;
        if (count >= MAX_BATCH) return batches;
        await pause(lingerMs);
        return merge(batches, await readEach(saleIds, consumer));
      }
      if (performance.now() >= until) return batches;
      await pause(waitMs);
      waitMs = Math.min(2 * waitMs, LOOK_MAX_MS);
    }
  };
}

/** Delivers what it read even if another outbox fails: that error shows at the next look that finds nothing. */
async function readEach(saleIds: readonly string[], consumer: string): Promise<Map<string, RawEntry[]>> {
  const looks = await Promise.allSettled(
    saleIds.map((saleId) => readGroup(stockRedis(), [saleId], consumer, MAX_BATCH)),
  );
  const found = new Map(looks.flatMap((look) => (look.status === 'fulfilled' ? [...look.value] : [])));
  for (const look of looks) if (look.status === 'rejected' && found.size === 0) throw look.reason;
  return found;
}

function merge(first: Map<string, RawEntry[]>, second: Map<string, RawEntry[]>): Map<string, RawEntry[]> {
  for (const [saleId, entries] of second) first.set(saleId, [...(first.get(saleId) ?? []), ...entries]);
  return first;
}
