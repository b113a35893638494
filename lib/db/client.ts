import { processWide } from '@/lib/process-wide';
import 'server-only';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';
import { PrismaClient } from '@/prisma/generated/client';

const POOL_SIZE = 20;
const CONNECT_TIMEOUT_MS = 2000;

type Kept = { pool?: pg.Pool; client?: PrismaClient };

const kept = processWide('db', (): Kept => ({}));

/** Returns the database client of this process; makes it at first use. */
export function db(): PrismaClient {
  kept.client ??= new PrismaClient({ adapter: new PrismaPg(pool()) });
  return kept.client;
}

/** Returns the connections that the client uses, for statements without Prisma: see `keptQuery`. */
export function pool(): pg.Pool {
  kept.pool ??= openPool();
  return kept.pool;
}

function openPool(): pg.Pool {
  const connections = new pg.Pool({
    connectionString: env().databaseUrl,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // The pool opens another connection when one is needed.
  connections.on('error', ({ message }) =>
    log.warn({ reason: message }, 'an idle connection to Postgres broke'),
  );
  return connections;
}

/** Closes the pool. For scripts, workers and tests, which must end. */
export async function closeDb(): Promise<void> {
  const { client, pool: connections } = kept;
  kept.client = undefined;
  kept.pool = undefined;
  await client?.$disconnect();
  await connections?.end();
}

/** A client inside or outside a transaction. */
export type Db = PrismaClient | Parameters<Parameters<PrismaClient['$transaction']>[0]>[0];
