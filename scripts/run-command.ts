import { closeDb } from '@/lib/db/client';
import { isOutage } from '@/lib/errors/is-outage';
import { closeRedis } from '@/lib/redis/client';
import { isConfigured } from './load-runtime-env';
import { UsageError } from './usage-error';

/**
 * Runs a command-line command: the exit code is the result of `command`, or 2 with one clear sentence when it can't
 * be carried out. Closes the connections either way.
 */
export async function runCommand(command: () => Promise<number>): Promise<void> {
  try {
    if (!isConfigured) {
      throw new UsageError(
        'no product is known here: run npm start first, or set DATABASE_URL and REDIS_URL',
      );
    }
    process.exitCode = await command();
  } catch (error) {
    console.error(sentence(error));
    process.exitCode = 2;
  } finally {
    await Promise.allSettled([closeDb(), closeRedis()]);
  }
}

function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof UsageError || error.message.startsWith('These environment variables'))
    return error.message;
  if ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) return error.message;
  if (isOutage(error)) {
    return `Postgres or Redis cannot be reached (${reason(error)}): is the product running? Start it with npm start.`;
  }
  return error.stack ?? error.message;
}

function reason(error: Error): string {
  const text = error.message.split('\n').findLast((line) => line.trim() !== '') ?? error.name;
  return text.trim();
}
