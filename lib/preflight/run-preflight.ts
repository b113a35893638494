import 'server-only';
import { type Actor, maySee } from '@/lib/actor/actor';
import { nowMs } from '@/lib/clock';
import type { Check, Preflight } from '@/lib/contract/shapes/preflight';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { pageAddresses, salePagePaths } from '@/lib/pages/page-addresses';
import { prewarmPages, visitAt } from '@/lib/pages/prewarm-pages';
import { SALE_PARTS, toSaleInfo } from '@/lib/sale/records/to-sale-info';
import { checkParts } from './check-parts';
import { checkProvider } from './check-provider';
import { checkSettings } from './check-settings';
import { failed, passed } from './make-check';

/** Runs all checks that matter before a sale is published. Null if there is no such sale or it is another merchant's. */
export async function runPreflight(actor: Actor, saleId: string): Promise<Preflight | null> {
  const row = await db().sale.findUnique({ where: { id: saleId }, include: SALE_PARTS });
  if (!row || !maySee(actor, row.merchantId)) return null;
  const sale = toSaleInfo(row);
  const [parts, page] = await Promise.all([checkParts(sale), checkPage(sale)]);
  const settings = checkSettings(sale, nowMs(), env().smtpUrl !== undefined);
  const checks = [passed('postgres', 'Postgres answers.'), ...parts, page, ...settings, checkProvider()];
  return { ok: !checks.some(({ ok, severity }) => !ok && severity === 'stop'), checks };
}

/** A draft has no page yet, so this fetches the list to see whether pages can be served. */
async function checkPage({ status, slug }: SaleInfo): Promise<Check> {
  const addresses = (status === 'draft' ? ['/'] : salePagePaths([slug])).flatMap(pageAddresses);
  const made = await prewarmPages(visitAt(env().serveOrigin), addresses);
  const values = { made, pages: addresses.length };
  return made === addresses.length
    ? passed('page', 'The pages can be had.', values)
    : failed('warn', 'page', 'missing', `${made} of ${addresses.length} pages could be had.`, values);
}
