import { pageAddress } from '@/i18n/page-address';
import { routing } from '@/i18n/routing';
import { bind } from '@/lib/api/bind';
import { routes } from '@/lib/api/routes';
import * as contract from '@/lib/contract/operations';
import { env } from '@/lib/env';

/** While building, nobody knows the shop's address. Our server keeps the answer for an hour. */
export const dynamic = 'force-dynamic';

/** What is personal or for staff; below every language. */
const CLOSED = ['/account', '/admin', '/orders', '/pay', '/notifications'];

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  bind(contract.readRobots, async () => {
    const closed = routing.locales.flatMap((locale) => CLOSED.map((path) => pageAddress(path, locale)));
    const lines = [
      'User-agent: *',
      'Disallow: /api/',
      ...closed.map((path) => `Disallow: ${path}`),
      `Sitemap: ${new URL('/sitemap.xml', env().publicUrl).href}`,
    ];
    return new Response(`${lines.join('\n')}\n`, {
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, s-maxage=3600' },
    });
  }),
);
