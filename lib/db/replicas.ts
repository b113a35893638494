import { processWide } from '@/lib/process-wide';
import 'server-only';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';
import { limitMs } from '@/lib/time-limits';
import { PrismaClient } from '@/prisma/generated/client';
import { openPool, pool, whenDbCloses } from './client';

/** How often servers are asked where they are, while somebody reads. */
const LOOK_EVERY_MS = 200;
/** After this long without a reader nobody is asked; the first reader after it reads from the primary. */
const IDLE_AFTER_MS = 10_000;
/** Places of the primary that are remembered: some twelve seconds. */
const MOST_PLACES = 60;

/** A place in the primary's log, and when it was the last one; monotonic ms. */
type Place = { lsn: bigint; at: number };
type Replica = {
  name: string;
  pool: pg.Pool;
  client: PrismaClient;
  /** It has all that was committed before this moment. */
  hasUpTo: number;
  isAway: boolean;
};
type Replicas = {
  all?: Replica[];
  places: Place[];
  next: number;
  readAt: number;
  /** When this process last changed something by request. */
  writtenAt: number;
  isLooking: boolean;
};

const held = processWide(
  'replicas',
  (): Replicas => ({
    places: [],
    next: 0,
    readAt: Number.NEGATIVE_INFINITY,
    writtenAt: Number.NEGATIVE_INFINITY,
    isLooking: false,
  }),
);

/**
 * Notes that somebody has changed something through this process: until a replica has it, reads here go to the
 * primary, so that nobody misses their own change.
 */
export function noteWritten(): void {
  held.writtenAt = performance.now();
}

/**
 * Chooses a replica that has everything this process has changed, and everything else up to `REPLICA_MAX_LAG_MS` ago.
 * They take turns.
 * @returns null if there is none
 */
export function freshReplica(): Replica | null {
  const { databaseReplicaUrls, replicaMaxLagMs } = env();
  if (databaseReplicaUrls.length === 0) return null;
  held.readAt = performance.now();
  void look();
  const fresh = (held.all ?? []).filter(
    ({ hasUpTo }) => hasUpTo > held.writtenAt && held.readAt - hasUpTo <= replicaMaxLagMs,
  );
  held.next += 1;
  return fresh[held.next % fresh.length] ?? null;
}

/** Reads from this replica no more before it has answered anew where it is. */
export function distrust(replica: Replica): void {
  replica.hasUpTo = Number.NEGATIVE_INFINITY;
}

/** Follows the replicas as long as somebody reads. Never rejects. */
async function look(): Promise<void> {
  if (held.isLooking) return;
  held.isLooking = true;
  whenDbCloses(close);
  held.all ??= env().databaseReplicaUrls.map(open);
  const { all } = held;
  while (held.all === all && performance.now() - held.readAt < IDLE_AFTER_MS) {
    const isKnown = await notePlace();
    if (isKnown) await Promise.all(all.map(askWhere));
    await new Promise((done) => setTimeout(done, LOOK_EVERY_MS).unref());
  }
  if (held.all === all) Object.assign(held, { isLooking: false, places: [] });
}

async function notePlace(): Promise<boolean> {
  // The moment is taken first. The place covers everything committed before it, and perhaps some of what follows.
  const at = performance.now();
  try {
    const { rows } = await pool().query({
      text: 'SELECT pg_current_wal_flush_lsn() - $1::pg_lsn AS lsn',
      values: ['0/0'],
      query_timeout: limitMs('replicaAnswer'),
    } as pg.QueryConfig);
    held.places = [...held.places.slice(1 - MOST_PLACES), { lsn: BigInt(rows[0].lsn), at }];
    return true;
  } catch {
    // The primary is away: its readers are told so, once the replicas are too old.
    return false;
  }
}

async function askWhere(replica: Replica): Promise<void> {
  try {
    const { rows } = await replica.pool.query({
      text: 'SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() - $1::pg_lsn END AS lsn',
      values: ['0/0'],
      query_timeout: limitMs('replicaAnswer'),
    } as pg.QueryConfig);
    const { lsn } = rows[0];
    // Promoted: it goes a way of its own from now on.
    if (lsn === null) throw new Error('it is no replica any more');
    const reached = held.places.findLast((place) => place.lsn <= BigInt(lsn));
    if (reached) replica.hasUpTo = Math.max(replica.hasUpTo, reached.at);
    if (replica.isAway) log.info({ replica: replica.name }, 'a replica of Postgres answers again');
    replica.isAway = false;
  } catch (err) {
    distrust(replica);
    if (!replica.isAway) log.warn({ replica: replica.name, err }, 'a replica of Postgres does not answer');
    replica.isAway = true;
  }
}

function open(url: string): Replica {
  const { hostname, port } = new URL(url);
  // A report may take a while, but a replica that hangs must not keep its reader.
  const connections = openPool(url, { query_timeout: limitMs('replicaRead') });
  return {
    name: `${hostname}:${port || 5432}`,
    pool: connections,
    client: new PrismaClient({ adapter: new PrismaPg(connections) }),
    hasUpTo: Number.NEGATIVE_INFINITY,
    isAway: false,
  };
}

async function close(): Promise<void> {
  const all = held.all ?? [];
  Object.assign(held, { all: undefined, places: [], isLooking: false });
  await Promise.all(
    all.map(async ({ client, pool: connections }) => {
      await client.$disconnect();
      await connections.end();
    }),
  );
}
