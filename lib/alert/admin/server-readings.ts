import type { AlertRuleId } from '@/lib/contract/words/alert';
import type { Servers } from '@/lib/servers/types';

/** For how long a failover is told. */
const TOLD_MS = 600_000;
const SLOTS = 16_384;

/** Returns the values that the rules about servers watch. Pure. */
export function serverReadings(
  { redis, failovers, replicas }: Servers,
  now = Date.now(),
): { rule: AlertRuleId; subject: string; value: number }[] {
  return [
    ...redis.flatMap(({ nodes }) =>
      nodes.flatMap(({ store, node, isUp, lagMs, memoryShare }) => [
        { rule: 'redis_node_down' as const, subject: `${store} ${node}`, value: isUp ? 0 : 1 },
        { rule: 'redis_replica_lag' as const, subject: `${store} ${node}`, value: (lagMs ?? 0) / 1_000 },
        { rule: 'redis_memory' as const, subject: `${store} ${node}`, value: (memoryShare ?? 0) * 100 },
      ]),
    ),
    ...redis.map(({ store, slotsCovered }) => ({
      rule: 'redis_slots_lost' as const,
      subject: store,
      value: slotsCovered === null ? 0 : SLOTS - slotsCovered,
    })),
    ...failovers.map(({ store, lastAt }) => ({
      rule: 'redis_failover' as const,
      subject: store,
      value: lastAt !== null && now - lastAt < TOLD_MS ? 1 : 0,
    })),
    ...replicas.flatMap(({ replica, isUp, lagMs }) => [
      { rule: 'database_replica_down' as const, subject: replica, value: isUp ? 0 : 1 },
      { rule: 'database_replica_lag' as const, subject: replica, value: (lagMs ?? 0) / 1_000 },
    ]),
  ];
}
