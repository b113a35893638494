import { checkPostgres } from './check-postgres.mjs';
import { checkRedis } from './check-redis.mjs';

/**
 * Checks the servers the user has named, before anything is started or changed.
 * @param {NodeJS.ProcessEnv} env DATABASE_URL, REDIS_URL and CACHE_REDIS_URL
 * @param {import('./progress.mjs').Wait} wait
 * @returns {Promise<string>} what it found, for the progress line.
 * @throws {import('./problem.mjs').Problem} that says what is wrong with the first unusable server.
 */
export async function checkServers({ DATABASE_URL, REDIS_URL, CACHE_REDIS_URL }, wait) {
  const found = [];
  if (DATABASE_URL) {
    const version = await checkPostgres(DATABASE_URL, wait);
    found.push(`Postgres ${version} at ${new URL(DATABASE_URL).host}`);
  }
  if (REDIS_URL) {
    const warnings = await checkRedis(REDIS_URL, 'REDIS_URL', wait);
    const careful = warnings.length > 0 ? ` (careful: ${warnings.join('; ')})` : '';
    found.push(`Redis at ${new URL(REDIS_URL).host}${careful}`);
  }
  if (CACHE_REDIS_URL)
    await checkRedis(CACHE_REDIS_URL, 'CACHE_REDIS_URL', wait, 'unset it to use the same Redis as for stock');
  return found.join(', ');
}
