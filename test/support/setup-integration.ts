import { inject, vi } from 'vitest';
import { borrowServers } from './borrow-servers';
import { applyTestEnv } from './test-env';

/**
 * Runs before a test file is imported, so that its own migrated database and its own Redis server are in process.env
 * when the first import of `lib/env` reads it. Files share processes, since packages take longer to load than many a
 * file takes to run; our own modules, with all they remember, are loaded anew for each. The servers stay until
 * the process ends: what a file has left open must not lose its connection while the next one runs.
 */
const { databaseUrl, redisUrl } = await borrowServers(inject('lender'));
applyTestEnv({ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl });
vi.resetModules();
(globalThis as { seckillStates?: unknown }).seckillStates = undefined;
const { outlastStandstills } = await import('./outlast-standstills');
outlastStandstills();
// Failures that tests cause on purpose would bury the real ones.
const { log } = await import('@/lib/http/log');
log.level = 'silent';
