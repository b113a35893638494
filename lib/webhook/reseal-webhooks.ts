import 'server-only';
import { db } from '@/lib/db/client';
import { openWebhookSecret, presentWebhookMark, sealWebhookSecret } from './webhook-secret';

const BATCH_SIZE = 500;
const MOST_BATCHES = 20;

/**
 * Seals again, with the newest key, what an older one has sealed: after that the older key may go out of ENTRY_SECRET.
 * Leaves alone what no live key can open, and secrets that sign along for a day.
 * @returns how many it sealed; at most 10,000 in one call
 */
export async function resealWebhooks(): Promise<number> {
  let [resealed, after] = [0, ''];
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    const rows = await db().webhookEndpoint.findMany({
      where: { keyMark: { not: presentWebhookMark() }, id: { gt: after } },
      orderBy: { id: 'asc' },
      take: BATCH_SIZE,
    });
    for (const { id, sealedSecret, keyMark } of rows) {
      const secret = openWebhookSecret(id, { sealedSecret, keyMark });
      if (secret === null) continue;
      const { count } = await db().webhookEndpoint.updateMany({
        where: { id, sealedSecret },
        data: sealWebhookSecret(id, secret),
      });
      resealed += count;
    }
    if (rows.length < BATCH_SIZE) break;
    after = rows.at(-1)?.id ?? after;
  }
  return resealed;
}
