import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nextRound, statesOf } from '@/lib/alert/admin/testing/rounds';
import { closeDb } from '@/lib/db/client';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { renderMetrics } from '@/lib/watch/render-metrics';
import { startCluster, type TestCluster } from '@/test/support/start-cluster';
import { type PgBouncer, startPgBouncer } from '@/test/support/start-pgbouncer';
import { type ReplicatedPostgres, startReplicatedPostgres } from '@/test/support/start-replicated-postgres';
import { startSentinels } from '@/test/support/start-sentinels';
import { createPostgresReader } from './read-postgres';
import { createRedisReader } from './read-redis';
import { watchServers } from './watch-servers';

const POLL = { interval: 200, timeout: 40_000 };

describe('a cluster of Redis', () => {
  let cluster: TestCluster;
  const name = (i: number) => `127.0.0.1:${cluster.port(i)}`;

  beforeAll(async () => {
    cluster = await startCluster();
    process.env.REDIS_URL = cluster.url;
  });
  afterAll(async () => {
    await closeRedis();
    await closeDb();
    await cluster?.stop();
  });

  const look = async () => {
    const { redis, failovers } = await watchServers();
    const [{ nodes = [], slotsCovered = null } = {}] = redis;
    return { of: (i: number) => nodes.find(({ node }) => node === name(i)), slotsCovered, failovers, nodes };
  };
  const rows = async (metric: string) =>
    (await renderMetrics()).split('\n').filter((line) => line.startsWith(`${metric}{`));

  it('[K1 J2] every node is told by address and role, with its lag; all slots have a primary', async () => {
    await stockRedis().set('{a}', '1');
    // The nodes tell each other who follows whom.
    const replicas = async () => (await look()).nodes.filter(({ role }) => role === 'replica');
    await expect.poll(async () => (await replicas()).length, POLL).toBe(3);
    const { nodes, slotsCovered, failovers } = await look();
    expect(nodes).toHaveLength(6);
    expect(nodes.every(({ isUp }) => isUp)).toBe(true);
    expect(slotsCovered).toBe(16_384);
    expect(failovers).toEqual([{ store: 'stock', count: 0, lastAt: null }]);
    await expect.poll(async () => (await replicas()).map(({ lagMs }) => lagMs), POLL).toEqual([0, 0, 0]);
    expect(await rows('seckill_redis_node_up')).toHaveLength(6);
    expect(await rows('seckill_redis_slots_covered')).toEqual([
      'seckill_redis_slots_covered{store="stock"} 16384',
    ]);
    await nextRound();
    expect(await statesOf('redis_node_down', `stock ${name(0)}`)).toEqual([]);
  });

  it('[K1 J1 J2] a replica that is stopped is told as away, and no slot is lost by that', async () => {
    const replica = 3 + cluster.holderOf('{a}');
    cluster.freeze(replica);
    try {
      expect((await look()).of(replica)).toMatchObject({ isUp: false, lagMs: null });
      await nextRound();
      await nextRound(16);
      expect(await statesOf('redis_node_down', `stock ${name(replica)}`)).toEqual(['firing']);
      expect(await statesOf('redis_slots_lost', 'stock')).toEqual([]);
    } finally {
      cluster.thaw(replica);
    }
    await expect.poll(async () => (await look()).of(replica)?.isUp, POLL).toBe(true);
  });

  it('[K1 J1 J2] a primary that is killed: its slots are told as lost, then its replica as the one that took over', async () => {
    const lost = cluster.holderOf('{a}');
    await cluster.kill(lost);
    const { of, slotsCovered } = await look();
    expect(of(lost)).toMatchObject({ isUp: false, role: 'primary' });
    expect(slotsCovered).toBeLessThan(16_384 * 0.7);
    await nextRound();
    expect(await statesOf('redis_slots_lost', 'stock')).toEqual(['firing']);

    await expect.poll(async () => (await look()).slotsCovered, POLL).toBe(16_384);
    const after = await look();
    expect(after.of(lost + 3)).toMatchObject({ isUp: true, role: 'primary' });
    expect(after.failovers).toMatchObject([{ store: 'stock', count: 1 }]);
    await nextRound();
    expect(await statesOf('redis_failover', 'stock')).toEqual(['firing']);
    expect(await rows('seckill_redis_failovers_total')).toEqual([
      'seckill_redis_failovers_total{store="stock"} 1',
    ]);
    const down = `seckill_redis_node_up{store="stock",node="${name(lost)}",role="primary"} 0`;
    expect(await rows('seckill_redis_node_up')).toContain(down);

    await cluster.revive(lost);
    await expect
      .poll(async () => (await look()).of(lost), POLL)
      .toMatchObject({ isUp: true, role: 'replica' });
    expect((await look()).failovers).toMatchObject([{ count: 1 }]);
  });
});

it('[K1 J2] behind Sentinels these, the primary and its replica are told; a single server tells of its replicas', async () => {
  const sentinels = await startSentinels({ password: 'secret' });
  try {
    const { port } = sentinels.admin(0).options;
    const [watched, single] = [
      createRedisReader('stock', sentinels.url),
      createRedisReader('cache', `redis://:secret@127.0.0.1:${port}`),
    ];
    const rolesOf = async (read: typeof watched) =>
      (await read()).nodes.map(({ role, isUp, lagMs }) => [role, isUp, lagMs]);
    const pair = [
      ['primary', true, null],
      ['replica', true, 0],
    ];
    await expect
      .poll(() => rolesOf(watched), POLL)
      .toEqual([...pair, ...Array(3).fill(['sentinel', true, null])]);
    await expect.poll(() => rolesOf(single), POLL).toEqual(pair);
    await sentinels.kill(1);
    expect((await rolesOf(watched)).slice(0, 2)).toEqual([pair[0], ['replica', false, null]]);
    await sentinels.kill(0);
    expect(await rolesOf(single)).toEqual([['unknown', false, null]]);
  } finally {
    await closeRedis();
    await sentinels.stop();
  }
});

describe('Postgres with a replica and a pooler', () => {
  let servers: ReplicatedPostgres;
  let pooler: PgBouncer;
  beforeAll(async () => {
    servers = await startReplicatedPostgres();
    pooler = await startPgBouncer(servers.primary.url, 2);
  });
  afterAll(async () => {
    await closeDb();
    await pooler?.stop();
    await servers?.stop();
  });

  it('[K4 J2] a replica is told with its lag: in step, behind while its replay stands, and away', async () => {
    const read = createPostgresReader({
      databaseUrl: pooler.url,
      databaseDirectUrl: servers.primary.url,
      databaseReplicaUrls: [servers.replica.url],
    });
    await expect.poll(read, POLL).toMatchObject({ pooler: true, replicas: [{ isUp: true, lagMs: 0 }] });
    const [primary, replica] = [servers.primary, servers.replica].map(
      ({ url }) => new pg.Client({ connectionString: url }),
    ) as [pg.Client, pg.Client];
    await Promise.all([primary.connect(), replica.connect()]);
    try {
      await replica.query('SELECT pg_wal_replay_pause()');
      await expect
        .poll(
          async () => (await replica.query('SELECT pg_get_wal_replay_pause_state() AS it')).rows[0].it,
          POLL,
        )
        .toBe('paused');
      await primary.query('CREATE TABLE written (n int)');
      await expect.poll(async () => (await read()).replicas[0]?.lagMs ?? 0, POLL).toBeGreaterThan(1_000);
      await replica.query('SELECT pg_wal_replay_resume()');
      await expect.poll(async () => (await read()).replicas[0]?.lagMs, POLL).toBe(0);
    } finally {
      await Promise.all([primary.end(), replica.end()]);
    }
    await pooler.stop();
    expect(await read()).toMatchObject({ pooler: false, replicas: [{ isUp: true }] });
    await servers.replica.stop();
    expect(await read()).toMatchObject({ replicas: [{ isUp: false, lagMs: null }] });
  });
});
