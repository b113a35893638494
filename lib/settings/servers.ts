import { lockServers, redisUrl, replicaServers, url, whole } from './kinds';
import { EVERY_ROLE, SHOP, tell } from './tell';

/** Postgres and Redis. */
export const serverSettings = {
  DATABASE_URL: tell(url('postgres:', 'postgresql:'), {
    says: "Postgres ≥ 18. `migrate` needs the owner's; the others may use [a role that owns nothing](../deploy/postgres/app-role.sql). With `?pgbouncer=true` where it leads to PgBouncer in transaction mode ([061](decisions/061-behind-a-pooler.md)).",
    usedBy: EVERY_ROLE,
    example: 'postgres://shop:…@10.0.0.5/shop',
  }),
  DATABASE_DIRECT_URL: tell(url('postgres:', 'postgresql:').optional(), {
    says: 'The same database without a pooler, for migrations and notifications; a worker compares the two.',
    usedBy: ['migrate', 'worker', 'executor'],
    unset: '`DATABASE_URL`',
  }),
  DATABASE_WAIT_MS: tell(whole(100, 60_000).default(2_000), {
    says: 'How long a request waits for a connection to Postgres, in ms, and above 3000 also for what a whole crowd reads there; then it is told to come again. More where the way to Postgres is long or the machine is busy with other things.',
    usedBy: SHOP,
  }),
  DATABASE_REPLICA_URLS: tell(replicaServers.optional(), {
    says: 'Replicas of that Postgres, up to 9, separated by commas: lists and reports of the admin area read from them ([059](decisions/059-reads-from-replicas.md)).',
    usedBy: SHOP,
    unset: 'none',
  }),
  REPLICA_MAX_LAG_MS: tell(whole(200, 60_000).default(1_000), {
    says: 'How old their answers may be, in ms; older ones are read from the primary.',
    usedBy: SHOP,
  }),
  REDIS_URL: tell(redisUrl, {
    says: 'Redis ≥ 7.0 or Valkey for the stock, with `appendonly yes`, `appendfsync always`, `maxmemory-policy noeviction`: one server, `redis+cluster://user:pass@host:port,host:port` (with `cluster-require-full-coverage no`), or `redis+sentinel://user:pass@host:port,host:port/NAME`; `rediss…` with TLS ([056](decisions/056-redis-cluster-and-sentinel.md)).',
    usedBy: SHOP,
    example: 'redis://:…@10.0.0.6:6379',
  }),
  CACHE_REDIS_URL: tell(redisUrl.optional(), {
    says: 'Another Redis for what may be lost: caches, limits, events. The same for all processes.',
    usedBy: SHOP,
    unset: '`REDIS_URL`',
  }),
  REDIS_WAIT_MS: tell(whole(100, 60_000).default(2_000), {
    says: 'How long a request waits for an answer of Redis, in ms; then it is told to come again. More where the machines stand still now and then, as shared ones do.',
    usedBy: SHOP,
  }),
  STOCK_REPLICAS_ACK: tell(whole(0, 5).default(0), {
    says: 'How many replicas of the stock Redis must have a purchase before it is answered: then no 202 is lost with a primary ([price](decisions/060-replicas-have-a-purchase.md)). The same for all web processes.',
    usedBy: ['web'],
    example: '1',
  }),
  LOCK_REDIS_URLS: tell(lockServers.optional(), {
    says: 'Independent Redis servers for the locks of the lock strategy (Redlock): 1, or an odd number up to 9, separated by commas ([043](decisions/043-locks-over-several-servers.md)). The same for all processes.',
    usedBy: SHOP,
    unset: 'the cache Redis alone',
  }),
  LOCK_ACQUIRE_TIMEOUT_MS: tell(whole(50, 5_000).default(500), {
    says: 'How long a purchase of the lock strategy tries to get its lock, in ms; then it is told to come again.',
    usedBy: SHOP,
  }),
  LOCK_RETRY_INTERVAL_MS: tell(whole(1, 1_000).default(10), {
    says: 'The wait between two of those tries, in ms.',
    usedBy: SHOP,
  }),
};
