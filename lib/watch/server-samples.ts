import type { Sample } from '@/lib/metrics/sample';
import type { Servers } from '@/lib/servers/types';

/** Returns the samples about the servers behind us: nodes, replicas, slots, failovers, pooler. */
export function serverSamples({ redis, failovers, replicas, pooler }: Servers): Sample[] {
  return [
    ...redis.flatMap(({ nodes }) =>
      nodes.flatMap(({ store, node, role, isUp, lagMs, behindBytes, memoryShare }): Sample[] => [
        { name: 'seckill_redis_node_up', labels: { store, node, role }, value: isUp ? 1 : 0 },
        ...optional('seckill_redis_replica_lag_seconds', { store, node }, lagMs && lagMs / 1_000),
        ...optional('seckill_redis_replica_behind_bytes', { store, node }, behindBytes),
        ...optional('seckill_redis_memory_ratio', { store, node }, memoryShare),
      ]),
    ),
    ...redis.flatMap(({ store, slotsCovered }) =>
      optional('seckill_redis_slots_covered', { store }, slotsCovered),
    ),
    ...failovers.map(
      ({ store, count }): Sample => ({
        name: 'seckill_redis_failovers_total',
        labels: { store },
        value: count,
      }),
    ),
    ...replicas.flatMap(({ replica, isUp, lagMs }): Sample[] => [
      { name: 'seckill_postgres_replica_up', labels: { replica }, value: isUp ? 1 : 0 },
      ...optional('seckill_postgres_replica_lag_seconds', { replica }, lagMs && lagMs / 1_000),
    ]),
    ...optional('seckill_pooler_up', {}, pooler === null ? null : Number(pooler)),
  ];
}

const optional = (name: Sample['name'], labels: Record<string, string>, value: number | null): Sample[] =>
  value === null ? [] : [{ name, labels, value }];
