import { processWide } from '@/lib/process-wide';
import 'server-only';
import { PrismaPg } from '@prisma/adapter-pg';
import { env } from '@/lib/env';
import { PrismaClient } from '@/prisma/generated/client';

const POOL_SIZE = 20;
const CONNECT_TIMEOUT_MS = 2000;

type Kept = { client?: PrismaClient };

const kept = processWide('db', (): Kept => ({}));

/** Returns the database client of this process; makes it at first use. */
export function db(): PrismaClient {
  kept.client ??= new PrismaClient({
    adapter: new PrismaPg({
      connectionString: env().databaseUrl,
      max: POOL_SIZE,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    }),
  });
  return kept.client;
}

/** Closes the pool. For scripts, workers and tests, which must end. */
export async function closeDb(): Promise<void> {
  await kept.client?.$disconnect();
  kept.client = undefined;
}

/** A client inside or outside a transaction. */
export type Db = PrismaClient | Parameters<Parameters<PrismaClient['$transaction']>[0]>[0];
