import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, inject } from 'vitest';
import { log } from '@/lib/http/log';
import { REDIS_DATABASES } from '../../scripts/infra/ephemeral.mjs';
import { createDatabase } from './create-database';
import { applyTestEnv } from './test-env';

/**
 * Runs before a test file is imported: its own migrated database and its worker's own, emptied Redis database,
 * both already in process.env when the first import of `lib/env` reads it.
 */
const worker = Number(process.env.VITEST_POOL_ID);
if (!Number.isInteger(worker) || worker >= REDIS_DATABASES) {
  throw new Error(`worker ${worker} has no Redis database of its own: there are ${REDIS_DATABASES}`);
}

const name = `test_${worker}_${randomBytes(6).toString('hex')}`;
const database = await createDatabase(inject('databaseUrl'), name, inject('templateDatabase'));
const redisUrl = `${inject('redisUrl')}/${worker}`;
const redis = new Redis(redisUrl);
await redis.flushdb();
await redis.quit();
applyTestEnv({ DATABASE_URL: database.url, REDIS_URL: redisUrl });
// Failures that tests cause on purpose would bury the ones that matter.
log.level = 'silent';

// Registered first, so it runs after every hook of the file itself.
afterAll(database.drop);
