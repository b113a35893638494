import { inject } from 'vitest';
import { log } from '@/lib/http/log';
import { borrowServers } from './borrow-servers';
import { applyTestEnv } from './test-env';

/**
 * Runs before a test file is imported, so that its own migrated database and its own Redis server are in process.env
 * when the first import of `lib/env` reads it.
 */
const { databaseUrl, redisUrl } = await borrowServers(inject('lender'));
applyTestEnv({ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl });
// Failures that tests cause on purpose would bury the real ones.
log.level = 'silent';
