import 'server-only';
import { PrismaPg } from '@prisma/adapter-pg';
import { env } from '@/lib/env';
import { PrismaClient } from '@/prisma/generated/client';

const POOL_SIZE = 20;
const CONNECT_TIMEOUT_MS = 2000;

// On `globalThis`, so that a hot reload in development does not open another pool.
const kept = globalThis as typeof globalThis & { seckillDb?: PrismaClient };

/** Returns the database client of this process; makes it at first use. */
export function db(): PrismaClient {
  kept.seckillDb ??= new PrismaClient({
    adapter: new PrismaPg({
      connectionString: env().databaseUrl,
      max: POOL_SIZE,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    }),
  });
  return kept.seckillDb;
}

/** Closes the pool. For scripts, workers and tests, which must end. */
export async function closeDb(): Promise<void> {
  await kept.seckillDb?.$disconnect();
  kept.seckillDb = undefined;
}

/** A client inside or outside a transaction. */
export type Db = PrismaClient | Parameters<Parameters<PrismaClient['$transaction']>[0]>[0];
