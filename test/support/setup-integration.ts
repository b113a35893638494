import { inject, vi } from 'vitest';
import { borrowServers } from './borrow-servers';
import { seedProperties } from './random';
import { applyTestEnv } from './test-env';

/**
 * Runs before a test file is imported: its own migrated database and Redis server are in process.env when `lib/env` is
 * first read. Files share processes, since packages load more slowly than many a file runs; our own modules are loaded
 * anew for each. The servers stay until the process ends, for connections that a file left open.
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
