import 'server-only';
import type { Redis } from 'ioredis';
import { shaOf } from '@/lib/redis/run-script';
import { stockReplicas } from '@/lib/redis/stock-replicas';

/**
 * Makes replicas forget our scripts. A primary that was lost and came back as a replica still knows them. If it is
 * promoted again it must not sell before its sales were looked at (`guard-new-server.ts`), and what it does not know tells
 * that it is new. A worker does it every second; a failover takes longer.
 * @returns how many replicas knew the purchase script. @throws connection errors of a single primary
 */
export async function forgetOnReplicas(): Promise<number> {
  const replicas = await stockReplicas();
  // One that is away is asked again a second later.
  const known = await Promise.all(replicas.map((replica) => forgetOn(replica).catch(() => false)));
  return known.filter(Boolean).length;
}

async function forgetOn(replica: Redis): Promise<boolean> {
  const [knows] = (await replica.script('EXISTS', shaOf('purchase-3-n'))) as number[];
  if (knows) await replica.script('FLUSH');
  return Boolean(knows);
}
