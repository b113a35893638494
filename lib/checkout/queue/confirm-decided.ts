import 'server-only';
import { env } from '@/lib/env';
import { OutageError } from '@/lib/errors/outage-error';
import { keys } from '@/lib/redis/keys';
import { confirmed, stampFor } from '@/lib/redis/replicas-ack';

/**
 * Waits until as many replicas as `STOCK_REPLICAS_ACK` says have what was decided about a purchase, so that no answer is told that
 * a lost server takes back. Those who ask at the same time share a question. Does nothing where the setting is 0.
 * @param readAgain tells whether it is still decided: what was read before may come from a server that has been replaced since
 * @throws OutageError if too few have it within half a second, or it is decided no longer
 */
export async function confirmDecided(saleId: string, readAgain: () => Promise<boolean>): Promise<void> {
  if (env().stockReplicasAck === 0) return;
  const stamp = await stampFor(keys.sale(saleId), keys.replicasMark(saleId));
  if (!(await readAgain())) throw new OutageError(`what was decided in ${saleId} is gone`);
  await confirmed(stamp);
}
