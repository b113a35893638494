import { Redis } from 'ioredis';
import { launchRedis } from '@/tools/harness/stack/launch-stores';
import { ensureRedis } from '../../../scripts/infra/find-server.mjs';
import { anyFreePort } from '../../../scripts/infra/ports.mjs';
import { alternate } from '../alternate';
import { type BenchContext, generatorNote } from '../bench-context';
import { measurePurchases } from '../measure-purchases';
import { ratioRow } from '../report/ratio-row';
import type { FigureReport } from '../report/types';
import { dropBenchSale, openBenchSale } from '../stack/sales';

const STOCK = 1_000_000_000;
const IN_STEP_WITHIN_MS = 60_000;

/** Measures what it costs to answer a purchase only when a replica has it. A replica follows Redis in both cases. */
export async function measureReplicas(context: BenchContext): Promise<FigureReport> {
  const { product, servers } = context;
  const sale = await openBenchSale(STOCK);
  const replica = await launchRedis({
    workspace: servers,
    name: 'replica',
    port: await anyFreePort(),
    binary: await ensureRedis(),
    settings: { 'repl-diskless-sync-delay': 0 },
  });
  const [primary, follower] = [new Redis(servers.redisUrl), new Redis(replica.url)];
  const busy: number[] = [];
  const contestant = (name: string, port: number) => ({
    name,
    run: () => measurePurchases(context, { targets: [sale], port, busy }),
  });
  try {
    const { hostname, port } = new URL(servers.redisUrl);
    await follower.replicaof(hostname, Number(port));
    await primary.set('replica', 'follows');
    if ((await primary.wait(1, IN_STEP_WITHIN_MS)) < 1) throw new Error('the replica does not follow');
    const web = await product.startOwnWeb('web-replicas', { STOCK_REPLICAS_ACK: '1' });
    try {
      const samples = await alternate(context.rounds, [
        contestant('one replica has it', web.port),
        contestant('nobody is asked', product.fastPath.port),
      ]);
      return {
        name: 'replicas',
        samples,
        rows: [
          ratioRow({
            figure: 'purchases accepted/s, answered when one replica has them : at once',
            ours: samples['one replica has it'] ?? [],
            theirs: samples['nobody is asked'] ?? [],
            target: 'printed',
          }),
        ],
        notes: [
          'primary and replica share the two cores and the disk with everything else, and both sync their files.',
          ...generatorNote(busy),
        ],
      };
    } finally {
      await web.stop();
    }
  } finally {
    primary.disconnect();
    follower.disconnect();
    await replica.stop();
    await dropBenchSale(sale);
  }
}
