import 'server-only';
import type pg from 'pg';
import { openPool, whenDbCloses } from '@/lib/db/client';
import { limitMs } from '@/lib/time-limits';
import { createLagMeter } from './lag-meter';
import type { PostgresReplica } from './types';

/** The places as numbers: a log of nine petabytes fits. */
const PRIMARY_PLACE = `SELECT (pg_current_wal_flush_lsn() - '0/0')::float8 AS place`;
const REPLICA_PLACE = `SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::float8 END AS place`;

/** `pooler`: whether it answers; null where there is none, or where the server behind it does not answer either. */
type PostgresServers = { replicas: PostgresReplica[]; pooler: boolean | null };

type Addresses = { databaseUrl: string; databaseDirectUrl: string; databaseReplicaUrls: readonly string[] };

/**
 * Makes a reader of the pooler that `DATABASE_URL` leads to, if any, and of the servers of `DATABASE_REPLICA_URLS`, each on
 * a connection of its own, so that nobody's work stands before the question. It never throws. A replica that was
 * promoted counts as away: it goes a way of its own.
 */
export function createPostgresReader({
  databaseUrl,
  databaseDirectUrl,
  databaseReplicaUrls,
}: Addresses): () => Promise<PostgresServers> {
  const meter = createLagMeter();
  const hasPooler = databaseDirectUrl !== databaseUrl;
  const place = createAsker(PRIMARY_PLACE);
  const replicaPlace = createAsker(REPLICA_PLACE);
  return async () => {
    if (!hasPooler && databaseReplicaUrls.length === 0) return { replicas: [], pooler: null };
    // The moment is taken first. The place covers everything written before it, and perhaps some of what follows.
    const at = performance.now();
    const pooled = await place(databaseUrl);
    const direct = hasPooler && pooled === null ? await place(databaseDirectUrl) : pooled;
    if (direct !== null) meter.note(direct, at);
    const replicas = await Promise.all(
      databaseReplicaUrls.map(async (url) => {
        const reached = await replicaPlace(url);
        const lagMs = reached === null ? null : meter.lagOf(reached, performance.now());
        return { replica: serverOf(url), isUp: reached !== null, lagMs };
      }),
    );
    return { replicas, pooler: hasPooler && direct !== null ? pooled !== null : null };
  };
}

/** Asks servers by their addresses, over a connection each that is kept. @returns null if one does not answer */
function createAsker(text: string): (url: string) => Promise<number | null> {
  const pools = new Map<string, pg.Pool>();
  const poolOf = (url: string) => {
    const known = pools.get(url);
    if (known) return known;
    const opened = openPool(url, { max: 1, connectionTimeoutMillis: limitMs('serverAnswer') });
    pools.set(url, opened);
    whenDbCloses(async () => {
      pools.delete(url);
      await opened.end();
    });
    return opened;
  };
  return async (url) => {
    try {
      const question = { text, query_timeout: limitMs('serverAnswer') } as pg.QueryConfig;
      return (await poolOf(url).query<{ place: number | null }>(question)).rows[0]?.place ?? null;
    } catch {
      return null;
    }
  };
}

function serverOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || 5432}`;
}
