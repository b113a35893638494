import { resolve } from 'node:path';
import { readRuntime } from './infra/runtime-file.mjs';

/**
 * Commands for a running product import this first: `npm run …` in a fresh shell knows neither the servers nor the
 * secrets, so this takes unset variables from the settings that `npm start` left in the data directory.
 */
const dir = resolve(import.meta.dirname, '..', process.env.SECKILL_DATA_DIR || '.data');
for (const [name, value] of Object.entries(readRuntime(dir))) process.env[name] ||= value;

/** True if the servers are known; otherwise no command can do anything. */
export const isConfigured = Boolean(process.env.DATABASE_URL && process.env.REDIS_URL);
