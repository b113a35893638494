import { LIMIT_SCOPES, type RateLimited } from './limit-policy';
import type { ScriptName } from './run-script';

/** Parses a script's reply `rate_limited scope limit windowMs waitMs`. @throws Error on anything else. */
export function parseRateLimited(script: ScriptName, reply: readonly string[]): RateLimited {
  const [, word, ...rest] = reply;
  const scope = LIMIT_SCOPES.find((each) => each === word);
  const [limit = 0, windowMs = 0, waitMs = 0, ...more] = rest.map(Number);
  const isWhole = [limit, windowMs, waitMs].every((number) => Number.isSafeInteger(number) && number > 0);
  if (!scope || !isWhole || more.length > 0) throw new Error(`${script} answered ${JSON.stringify(reply)}`);
  return { scope, limit, windowMs, waitMs };
}
