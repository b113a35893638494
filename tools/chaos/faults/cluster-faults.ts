import { setTimeout as sleep } from 'node:timers/promises';
import { keys } from '@/lib/redis/keys';
import type { ClusterParts } from '@/tools/harness/stack/cluster';
import type { Part } from '@/tools/harness/stack/part';
import type { Stack } from '@/tools/harness/stack/start-stack';
import { EVERYTHING, type Fault } from './fault';

/** Long enough for a failover: the others notice after two seconds, and agree within two more. */
const FAILOVER_MS = [5_000, 8_000] as const;
const BURST_MS = 150;
/** One zone has a web process, a primary and a replica of another one. */
const ZONE = ['web-2', 'redis-1', 'redis-6'];

type Roles = Awaited<ReturnType<ClusterParts['rolesOf']>>;

/** Hurts servers chosen by what they do for the sale; the next fault waits until every server is there again. */
const hurt = (
  choose: (roles: Roles) => Part[],
  how: 'kill' | 'freeze',
  lastsMs: Fault['lastsMs'] = FAILOVER_MS,
): Fault => {
  let hit: Part[] = [];
  return {
    target: 'redis',
    lastsMs,
    needs: 'cluster',
    async inject(stack, stockId) {
      hit = choose(await rolesOf(stack, stockId));
      await Promise.all(hit.map((part) => part[how]()));
    },
    async undo({ cluster }) {
      await Promise.all(hit.map((part) => (how === 'kill' ? part.start() : part.thaw())));
      await cluster?.settled();
    },
  };
};

function rolesOf({ cluster }: Stack, stockId: string): Promise<Roles> {
  if (!cluster) throw new Error('there is no cluster');
  return cluster.rolesOf(keys.sale(stockId));
}

/** Lets a server run in bursts, as one does whose disk is slow. */
function stutter(): Fault {
  let stop: AbortController | undefined;
  let running: Promise<void> | undefined;
  return {
    target: 'redis',
    lastsMs: [2_000, 5_000],
    needs: 'cluster',
    async inject(stack, stockId) {
      const { primary } = await rolesOf(stack, stockId);
      stop = new AbortController();
      const { signal } = stop;
      running = (async () => {
        while (!signal.aborted) {
          primary.freeze();
          await sleep(BURST_MS);
          primary.thaw();
          await sleep(BURST_MS);
        }
      })();
    },
    async undo() {
      stop?.abort();
      await running;
    },
  };
}

/** Faults of a cluster. The sale lies on its hot primary. */
export const CLUSTER_FAULTS = {
  'kill-hot-primary': hurt(({ primary }) => [primary], 'kill'),
  'freeze-hot-primary': hurt(({ primary }) => [primary], 'freeze'),
  'freeze-hot-replica': hurt(({ replica }) => [replica], 'freeze', [2_000, 6_000]),
  'kill-cold-primary': hurt(({ others }) => others.slice(0, 1), 'kill'),
  'lose-quorum': hurt(({ others }) => others, 'freeze', [3_000, 6_000]),
  'part-shards': {
    target: 'redis',
    lastsMs: FAILOVER_MS,
    needs: 'cluster',
    async inject(stack, stockId) {
      const { primary } = await rolesOf(stack, stockId);
      stack.cluster?.isolate(primary);
    },
    async undo({ cluster }) {
      cluster?.rejoin();
      await cluster?.settled();
    },
  },
  'slow-disk': stutter(),
  'lose-zone': {
    target: EVERYTHING,
    lastsMs: FAILOVER_MS,
    needs: 'cluster',
    inject: ({ parts }) => Promise.all(ZONE.map((name) => parts.get(name)?.kill())).then(() => {}),
    async undo({ parts, cluster }) {
      await Promise.all(ZONE.map((name) => parts.get(name)?.start()));
      await cluster?.settled();
    },
  },
} as const satisfies Record<string, Fault>;
