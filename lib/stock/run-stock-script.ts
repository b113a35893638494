import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { runScript, runScriptAtOnce, type ScriptName } from '@/lib/redis/run-script';

/**
 * Thrown when the tiers of a sale in Redis don't add up. This is an alarm: no code clamps or repairs the numbers on
 * the way.
 */
export class StockCorruptError extends Error {
  override name = 'StockCorruptError';
}

/**
 * Runs a stock script.
 * @returns its reply's words, the status first.
 * @throws StockCorruptError when the script refuses to work on inconsistent numbers.
 */
export function runStockScript(
  name: ScriptName,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<string[]> {
  return alarmed(name, keys, runScript(stockRedis(), name, keys, args));
}

/** Does the same as `runStockScript`, by `runScriptAtOnce`, and returns the whole reply. */
export const runStockScriptAtOnce = (
  name: ScriptName,
  keys: readonly string[],
  args: readonly (string | number)[],
  beforeFirst: () => Promise<void>,
): Promise<string> => alarmed(name, keys, runScriptAtOnce(stockRedis(), name, keys, args, beforeFirst));

async function alarmed<T>(name: ScriptName, keys: readonly string[], reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof Error && error.message.includes('STOCKCORRUPT')) {
      throw new StockCorruptError(`${name}: available + held + sold ≠ total in ${keys[0]}`, { cause: error });
    }
    throw error;
  }
}
