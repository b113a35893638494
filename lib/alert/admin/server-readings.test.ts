import { expect, it } from 'vitest';
import type { RedisNode, Servers } from '@/lib/servers/types';
import { serverReadings } from './server-readings';

const node = (overrides: Partial<RedisNode>): RedisNode => ({
  store: 'stock',
  node: 'a:1',
  role: 'primary',
  isUp: true,
  lagMs: null,
  behindBytes: null,
  memoryShare: null,
  ...overrides,
});
const servers: Servers = {
  redis: [
    {
      store: 'stock',
      slotsCovered: 10_923,
      nodes: [node({ isUp: false }), node({ node: 'b:1', role: 'replica', lagMs: 12_000 })],
    },
    { store: 'cache', slotsCovered: null, nodes: [node({ store: 'cache', node: 'c:1', memoryShare: 0.85 })] },
  ],
  failovers: [{ store: 'stock', count: 2, lastAt: 1_000_000 }],
  replicas: [
    { replica: 'p:5432', isUp: false, lagMs: null },
    { replica: 'q:5432', isUp: true, lagMs: 31_000 },
  ],
  pooler: null,
};
const valuesOf = (now: number) =>
  serverReadings(servers, now).flatMap(({ rule, subject, value }) =>
    value > 0 ? [[rule, subject, value]] : [],
  );

it('[J1 K1 K4] names each server that is away or behind, slots without a primary, and failovers for ten minutes', () => {
  const lasting = [
    ['redis_node_down', 'stock a:1', 1],
    ['redis_replica_lag', 'stock b:1', 12],
    ['redis_memory', 'cache c:1', 85],
    ['redis_slots_lost', 'stock', 5_461],
  ];
  const ofPostgres = [
    ['database_replica_down', 'p:5432', 1],
    ['database_replica_lag', 'q:5432', 31],
  ];
  expect(valuesOf(1_599_999)).toEqual([...lasting, ['redis_failover', 'stock', 1], ...ofPostgres]);
  expect(valuesOf(1_600_001)).toEqual([...lasting, ...ofPostgres]);
});
