import type { Cluster, Redis } from 'ioredis';

/** A connection to Redis: to one server, to the primary that Sentinels name, or to the nodes of a cluster. */
export type RedisConnection = Redis | Cluster;

/** Tells whether commands go to several servers, each to the one that holds its key. */
export const isCluster = (redis: RedisConnection): redis is Cluster => redis.isCluster;
