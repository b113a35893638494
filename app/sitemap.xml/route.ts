import { listAddresses } from '@/lib/admin/pages/list-addresses';
import { toSitemap } from '@/lib/admin/pages/to-sitemap';
import { bind } from '@/lib/api/bind';
import { routes } from '@/lib/api/routes';
import * as contract from '@/lib/contract/operations';
import { env } from '@/lib/env';

/** Made from the database when it is asked for; our server keeps the answer for five minutes. */
export const dynamic = 'force-dynamic';

const HEADERS = { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, s-maxage=300' };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  bind(
    contract.readSitemap,
    async () => new Response(toSitemap(await listAddresses(), env().publicUrl), { headers: HEADERS }),
  ),
);
