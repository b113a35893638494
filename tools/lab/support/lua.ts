import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';

/**
 * A script of `tools/lab/lua`, the number of its keys at the end of its name.
 * @returns `load` it into a server once, then `run` it by its hash.
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
