import { inject, vi } from 'vitest';
import { borrowServers } from './borrow-servers';
import { seedProperties } from './random';
import { applyTestEnv } from './test-env';

/**
 * Runs before a test file is imported, so that its own migrated database and its own Redis server are in process.env
 * when the first import of `lib/env` reads it. Files share processes, since packages take longer to load than many a
 * file takes to run; our own modules, with all they remember, are loaded anew for each. The servers stay until
 * the process ends: what a file has left open must not lose its connection while the next one runs.
 */
const { databaseUrl, redisUrl } = await borrowServers(inject('lender'));
// Tests share the machine with builds, browsers and each other. One that proves a limit sets 1 itself.
applyTestEnv({ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, SECKILL_PATIENCE: '10' });
vi.resetModules();
seedProperties();
(globalThis as { seckillStates?: unknown }).seckillStates = undefined;
// Failures that tests cause on purpose would bury the real ones.
const { log } = await import('@/lib/http/log');
log.level = 'silent';
