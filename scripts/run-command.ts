import { closeDb } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { limitMs } from '@/lib/time-limits';
import { isConfigured } from './load-runtime-env';
import { sayWhy } from './say-why';
import { UsageError } from './usage-error';

/**
 * Runs a command-line command: the exit code is the result of `command`, or 2 with one clear sentence when it can't
 * be carried out. Closes the connections either way; what stays open ends with the process.
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
    console.error(sayWhy(error));
    process.exitCode = 2;
  } finally {
    setTimeout(() => process.exit(), limitMs('commandEnd')).unref();
    await Promise.allSettled([closeDb(), closeRedis()]);
  }
}
