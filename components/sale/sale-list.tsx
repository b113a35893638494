'use client';

import { useQuery } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { isWorthRetrying } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { Notice } from '@/components/ui/notice';
import type { LiveSale } from '@/lib/contract/shapes/sale';
import { SaleCard } from './sale-card';
import { SALES_SHOWN } from './sales-shown';
import { type SaleListEntry, toListEntry } from './shown-sale';
import { sortSales } from './sort-sales';

/**
 * How often the list refreshes, give or take a quarter: pages opened at the same moment must not refresh at the same
 * moment.
 */
const EVERY_MS = 10_000;
const SPREAD = 0.25;
/** How many requests in a row must fail before the page says so. */
const FAILURES_TOLD = 3;

/**
 * Lists the sales in the static page's order; the browser fetches the state of each. Nothing moves under the reader:
 * sales the page doesn't know yet come last.
 */
export function SaleList({ sales }: { sales: SaleListEntry[] }) {
  const t = useTranslations('Sales');
  const locale = useLocale();
  const { data, isError, failureCount } = useQuery({
    queryKey: ['sales'],
    queryFn: ({ signal }) =>
      request('GET /api/sales', { query: { limit: SALES_SHOWN }, signal, cache: 'default' }),
    refetchInterval: () => EVERY_MS * (1 + SPREAD * (2 * Math.random() - 1)),
    // The page never gives up, and waits longer each time (`retryDelay`), so that a shop in trouble gets no more
    // requests than usual.
    retry: (_, error) => isWorthRetrying(error),
  });
  const live = new Map<string, LiveSale>(data?.sales.map((sale) => [sale.saleId, sale]));
  const known = new Set(sales.map(({ saleId }) => saleId));
  const added = (data?.sales ?? []).filter(({ saleId }) => !known.has(saleId));
  const all = [...sales, ...sortSales(added, live).map((sale) => toListEntry(sale, locale))];

  return (
    <div className="grid gap-6">
      {isError || failureCount >= FAILURES_TOLD ? (
        <Notice tone="warning" role="status">
          {t('stale')}
        </Notice>
      ) : null}
      {all.length === 0 ? <p className="text-lg text-muted">{t('empty')}</p> : null}
      <ul className="grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
        {all.map((sale, index) => (
          <li key={sale.saleId} className="flex">
            <SaleCard sale={sale} live={live.get(sale.saleId) ?? null} isFirst={index < 3} />
          </li>
        ))}
      </ul>
    </div>
  );
}
