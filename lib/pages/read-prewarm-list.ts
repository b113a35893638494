import 'server-only';
import { type Actor, maySee } from '@/lib/actor/actor';
import { db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { pageAddresses, salePagePaths } from './page-addresses';

/**
 * Returns the pages a CDN should have before the crowd comes: those that show the sale, in every language. Null: no
 * such sale.
 */
export async function readPrewarmList(
  actor: Actor,
  saleId: string,
): Promise<{ paths: string[]; urls: string[] } | null> {
  const sale = await db().sale.findUnique({
    where: { id: saleId },
    select: { slug: true, merchantId: true, campaign: { select: { slug: true } } },
  });
  if (!sale || !(await maySee(actor, sale.merchantId))) return null;
  const paths = salePagePaths([sale.slug], sale.campaign?.slug).flatMap(pageAddresses);
  const { publicUrl } = env();
  return { paths, urls: paths.map((path) => new URL(path, publicUrl).href) };
}
