/** The use of a Redis server: for stock, for data that may be lost, or for nothing but locks. */
export type RedisStore = 'stock' | 'cache' | 'lock';

/** `unknown`: no server has said yet. */
export type RedisRole = 'primary' | 'replica' | 'sentinel' | 'unknown';

/** One server of Redis. */
export type RedisNode = {
  store: RedisStore;
  /** `host:port`, as the others name it. */
  node: string;
  role: RedisRole;
  /** True if it answers us; for a replica of a single server, if that one says it is in step. */
  isUp: boolean;
  /** How old the state is that a replica has, and how much it lacks; null: not a replica, or not known. */
  lagMs: number | null;
  behindBytes: number | null;
  /** Share of its memory that is in use; null: not known, or it makes room by itself. */
  memoryShare: number | null;
};

/** The servers of one address. */
export type RedisServers = {
  store: RedisStore;
  nodes: RedisNode[];
  /** Slots whose primary answers, of 16,384; null without a cluster. */
  slotsCovered: number | null;
};

/** How often a replica of a store took over, as far as this process saw, and when last (epoch ms; null: never). */
export type Failovers = { store: RedisStore; count: number; lastAt: number | null };

/** A server of `DATABASE_REPLICA_URLS`. `lagMs`: null before it has answered for the first time. */
export type PostgresReplica = { replica: string; isUp: boolean; lagMs: number | null };

/** The servers behind us. `pooler`: whether it answers; null where there is none, or nothing to compare it with. */
export type Servers = {
  redis: RedisServers[];
  failovers: Failovers[];
  replicas: PostgresReplica[];
  pooler: boolean | null;
};
