import 'server-only';
import { db } from '@/lib/db/client';
import { openSecret, presentKeyMark, sealSecret } from './seal-secret';

const BATCH_SIZE = 500;
const MOST_BATCHES = 20;

/**
 * Seals again, by the newest key, the secrets that an older one has sealed; after that the older key may leave
 * ENTRY_SECRET. Leaves alone those that no live key can open.
 * @returns how many it sealed; at most 10,000 in one call
 */
export async function resealSecrets(): Promise<number> {
  let [resealed, after] = [0, ''];
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    const rows = await db().totpFactor.findMany({
      where: { keyMark: { not: presentKeyMark() }, userId: { gt: after } },
      orderBy: { userId: 'asc' },
      take: BATCH_SIZE,
    });
    for (const { userId, sealedSecret, keyMark } of rows) {
      const secret = openSecret(userId, { sealedSecret, keyMark });
      if (secret === null) continue;
      const { count } = await db().totpFactor.updateMany({
        where: { userId, sealedSecret },
        data: sealSecret(userId, secret),
      });
      resealed += count;
    }
    if (rows.length < BATCH_SIZE) break;
    after = rows.at(-1)?.userId ?? after;
  }
  return resealed;
}
