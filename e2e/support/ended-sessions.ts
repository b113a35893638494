import { expect } from '@playwright/test';
import { demoAdmin, type Shopper } from './accounts';
import { baseUrl } from './base-url';
import { Client } from './client';

/** Returns the header with which a browser of this shopper sends its cookies. */
export const cookieOf = ({ client }: Pick<Shopper, 'client'>): string =>
  client
    .browserCookies()
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ');

/**
 * Lets two shoppers enter a sale, signs the one out everywhere and bans the other.
 * @returns a function that returns the statuses with which the sale answers them now
 */
export async function endBoth(saleId: string, leaving: Shopper, banned: Shopper) {
  const path = `/api/sales/${saleId}/entry`;
  for (const { client } of [leaving, banned]) expect((await client.post(path)).status).toBe(200);
  const headers = { cookie: cookieOf(leaving), origin: baseUrl };
  await leaving.client.post('/api/account/sessions/end');
  const ban = await (await demoAdmin()).post(`/api/admin/users/${banned.userId}/ban`, { reason: 'Test' });
  expect(ban.status, ban.text).toBe(200);
  const statuses = async () => [
    (await new Client().post(path, undefined, { headers })).status,
    (await banned.client.post(path)).status,
  ];
  return { statuses };
}
