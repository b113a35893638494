import { resolve } from 'node:path';
import { readRuntime } from './infra/runtime-file.mjs';

/**
 * Imported first by commands for a running product: `npm run …` in a fresh shell knows neither its servers nor its
 * secrets, so what is not set is taken from what `npm start` left in the data directory.
 */
const dir = resolve(import.meta.dirname, '..', process.env.SECKILL_DATA_DIR || '.data');
for (const [name, value] of Object.entries(readRuntime(dir))) process.env[name] ||= value;

/** Whether the servers are known; if not, no command can do anything. */
export const isConfigured = Boolean(process.env.DATABASE_URL && process.env.REDIS_URL);
