import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';

/**
 * Prepares a script of `tools/lab/lua`. The end of its name is the number of its keys.
 * @returns `load` puts it into a server once, then `run` calls it by its hash.
 */
export function luaScript(name: `${string}-${number}`) {
  const text = readFileSync(join(import.meta.dirname, '..', 'lua', `${name}.lua`), 'utf8');
  const sha = createHash('sha1').update(text).digest('hex');
  const keyCount = Number(name.slice(name.lastIndexOf('-') + 1));
  return {
    load: (redis: Redis) => redis.script('LOAD', text),
    run: async (redis: Redis, ...keysAndArgs: (string | number)[]) =>
      Number(await redis.evalsha(sha, keyCount, ...keysAndArgs)),
  };
}
