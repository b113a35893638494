import { afterAll, expect, it } from 'vitest';
import { newId } from '@/lib/ids/new-id';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { countCompany, isSampled, SAMPLED_OF } from './count-company';
import { DAY_SEC } from './score';

const CROWD = 1_600;

afterAll(closeRedis);

it('[M9] tells from a sixteenth of them how many accounts there are at an address, and tells Redis of those alone', async () => {
  const ip = `198.51.100.${Math.floor(Math.random() * 256)}/${newId('net')}`;
  const crowd = Array.from({ length: CROWD }, () => newId('user'));
  for (const user of crowd) await countCompany({ user, ip, device: '' }, false);
  const told = await cacheRedis().zrange(keys.riskCount('sampled_accounts', DAY_SEC, 'ip', ip), '0', '-1');
  expect(told.toSorted()).toEqual(crowd.filter(isSampled).toSorted());
  // Five standard deviations of a sample of a hundred.
  for (const user of crowd.slice(-SAMPLED_OF)) {
    const { networkAccounts } = await countCompany({ user, ip, device: '' }, false);
    expect(networkAccounts).toBeGreaterThan(CROWD * 0.5);
    expect(networkAccounts).toBeLessThan(CROWD * 1.5);
  }
  // Again and again is no crowd.
  expect(await countCompany({ user: crowd[0] ?? '', ip, device: '' }, false)).toMatchObject({
    networkAccounts: SAMPLED_OF * crowd.filter(isSampled).length,
  });
});
