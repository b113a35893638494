import { processWide } from '@/lib/process-wide';
import 'server-only';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';
import { limitMs } from '@/lib/time-limits';
import { PrismaClient } from '@/prisma/generated/client';
import { clientFor } from './client-for';

const POOL_SIZE = 20;

type Kept = { pool?: pg.Pool; client?: PrismaClient; closing: Set<() => Promise<void>> };

const kept = processWide('db', (): Kept => ({ closing: new Set() }));

/** Returns the database client of this process; makes it at first use. */
export function db(): PrismaClient {
  kept.client ??= new PrismaClient({
    adapter: new PrismaPg(pool()),
    transactionOptions: { maxWait: limitMs('postgresConnect'), timeout: limitMs('shortTransaction') },
  });
  return kept.client;
}

/** Returns the connections that the client uses, for statements without Prisma: see `keptQuery`. */
export function pool(): pg.Pool {
  kept.pool ??= openPool(env().databaseUrl);
  return kept.pool;
}

/** Opens connections to a server, each when it is needed. The caller closes them: see `whenDbCloses`. */
export function openPool(connectionString: string, overrides: pg.PoolConfig = {}): pg.Pool {
  const connections = new pg.Pool({
    connectionString,
    Client: clientFor(connectionString),
    max: POOL_SIZE,
    connectionTimeoutMillis: limitMs('postgresConnect'),
    ...overrides,
  });
  // The pool opens another connection when one is needed.
  connections.on('error', ({ message }) =>
    log.warn({ reason: message }, 'an idle connection to Postgres broke'),
  );
  return connections;
}

/** Returns how the connections of this process's pool are used; `waiting`: statements that wait for one. */
export function readPool(): { busy: number; idle: number; waiting: number } {
  const { totalCount = 0, idleCount = 0, waitingCount = 0 } = kept.pool ?? {};
  return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

/** Calls `close` once, when this process closes its connections. */
export function whenDbCloses(close: () => Promise<void>): void {
  kept.closing.add(close);
}

/** Closes the pool. For scripts, workers and tests, which must end. */
export async function closeDb(): Promise<void> {
  const { client, pool: connections, closing } = kept;
  Object.assign(kept, { client: undefined, pool: undefined, closing: new Set() });
  await Promise.all([...closing].map((close) => close()));
  await client?.$disconnect();
  await connections?.end();
}

/** A client inside or outside a transaction. */
export type Db = PrismaClient | Parameters<Parameters<PrismaClient['$transaction']>[0]>[0];
