import { expect, it } from 'vitest';
import { checkPostgres } from './check-postgres.mjs';
import { checkServers } from './check-servers.mjs';

const NOBODY = '127.0.0.1:9';
const refusal = (env) => checkServers(env, () => {}).catch(({ message }) => message);

it('[L1] what unsetting an address does is said as it is', async () => {
  for (const url of [`http://${NOBODY}`, `redis://${NOBODY}`]) {
    expect(await refusal({ REDIS_URL: url })).toMatch(/, or unset it to use the embedded Redis\.$/);
    expect(await refusal({ CACHE_REDIS_URL: url })).toMatch(
      /, or unset it to use the same Redis as for stock\.$/,
    );
  }
  expect(await refusal({ LOCK_REDIS_URLS: `redis://${NOBODY}` })).toMatch(
    /correct LOCK_REDIS_URLS, or unset it to keep locks on the cache Redis\.$/,
  );
  for (const url of [`http://${NOBODY}`, `postgres://${NOBODY}/shop`]) {
    expect(await refusal({ DATABASE_URL: url })).toMatch(/, or unset it to use the embedded Postgres\.$/);
    // A migration has no embedded server to offer instead.
    await expect(checkPostgres(url, undefined, '')).rejects.toThrow(
      /%2F for a \/\)\.$|: correct DATABASE_URL\.$/,
    );
  }
});
