import 'server-only';
import { pageAddress } from '@/i18n/page-address';
import type { Locale } from '@/i18n/routing';
import { nowMs } from '@/lib/clock';
import { env } from '@/lib/env';
import { findSaleInfo } from './find-sale-info';
import { toCalendar } from './to-calendar';

type Calendar = { status: 'found'; slug: string; text: string } | { status: 'sale_not_found' | 'sale_ended' };

/** Returns a published sale that isn't over as a calendar's event, which leads to its page in a language. */
export async function findCalendar(saleId: string, locale: Locale): Promise<Calendar> {
  const sale = await findSaleInfo(saleId);
  if (!sale) return { status: 'sale_not_found' };
  const now = nowMs();
  if (sale.status === 'closed' || sale.endsAt <= now) return { status: 'sale_ended' };
  const address = new URL(pageAddress(`/sales/${sale.slug}`, locale), env().publicUrl).href;
  return { status: 'found', slug: sale.slug, text: toCalendar(sale, address, now) };
}
