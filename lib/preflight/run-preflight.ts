import 'server-only';
import { type Actor, maySee } from '@/lib/actor/actor';
import { nowMs } from '@/lib/clock';
import type { Preflight } from '@/lib/contract/shapes/preflight';
import { db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { salePagePaths } from '@/lib/pages/page-addresses';
import { SALE_PARTS, toSaleInfo } from '@/lib/sale/records/to-sale-info';
import { checkPages } from './check-pages';
import { checkParts } from './check-parts';
import { checkProvider } from './check-provider';
import { checkSettings } from './check-settings';
import { checkMailServer } from './check-shop';
import { isStopping, passed } from './make-check';

/** Runs all checks that matter before a sale is published. Null if there is no such sale or it is another merchant's. */
export async function runPreflight(actor: Actor, saleId: string): Promise<Preflight | null> {
  const row = await db().sale.findUnique({ where: { id: saleId }, include: SALE_PARTS });
  if (!row || !(await maySee(actor, row.merchantId))) return null;
  const sale = toSaleInfo(row);
  // A draft has no page yet: the list shows whether pages can be served.
  const paths = sale.status === 'draft' ? ['/'] : salePagePaths([sale.slug]);
  const [parts, page] = await Promise.all([checkParts(sale), checkPages(paths)]);
  const settings = checkSettings(sale, nowMs(), checkMailServer(env()).ok);
  const checks = [passed('postgres', 'Postgres answers.'), ...parts, page, ...settings, checkProvider(sale)];
  return { ok: !checks.some(isStopping), checks };
}
