'use client';

import { useQuery } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { cn } from '@/components/ui/cn';
import { formatMoney } from '@/components/ui/format-money';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import { Link } from '@/i18n/navigation';
import type { Home, HomeSale } from '@/lib/contract/shapes/home';
import { adminPage, PageFrame } from '../kit/admin-page';
import { dayOf, dayStart } from '../kit/day-start';
import { HomeCard, LARGE, LINK } from './home-card';
import { NeedsList } from './needs-list';
import { RunningTable } from './running-table';

const EVERY_MS = 10_000;

/** Shows what one wants to know first: the money of the day, what runs, what comes, and what waits for somebody. */
function HomeContent() {
  const common = useTranslations('Common');
  const { data, error } = useQuery({
    queryKey: ['admin-home'],
    // Midnight where the reader is; on a page that stays open it moves on with the day.
    queryFn: ({ signal }) =>
      request('GET /api/admin/home', { query: { from: Number(dayStart(dayOf(Date.now()))) }, signal }),
    refetchInterval: EVERY_MS,
  });
  return (
    <PageFrame words="AdminHome">
      <Problem error={error} />
      {data || error ? null : <p className="text-muted">{common('loading')}</p>}
      {data ? <Overview home={data} /> : null}
    </PageFrame>
  );
}

export const HomePage = adminPage(HomeContent);

function Overview({ home }: { home: Home }) {
  const t = useTranslations('AdminHome');
  const isNew = home.runningCount + home.nextCount + home.drafts === 0;
  return (
    <>
      <div className="grid items-stretch gap-4 md:grid-cols-2 xl:grid-cols-3">
        <TakingsCard takings={home.takings} />
        <NextCard home={home} />
        <NeedsList needs={home.needs} drafts={home.drafts} />
      </div>
      {home.running.length > 0 ? (
        <RunningTable sales={home.running} count={home.runningCount} />
      ) : (
        <p className="text-muted">
          {t.rich(isNew ? 'nothingYet' : 'nothingRuns', {
            link: (words) => (
              <Link
                href="/admin/sales"
                prefetch={false}
                className="font-medium text-text underline underline-offset-4"
              >
                {words}
              </Link>
            ),
          })}
        </p>
      )}
    </>
  );
}

function TakingsCard({ takings }: Pick<Home, 'takings'>) {
  const t = useTranslations('AdminHome');
  const locale = useLocale();
  return (
    <HomeCard heading={t('paidToday')}>
      {takings.length === 0 ? <p className={LARGE}>{t('noMoney')}</p> : null}
      {takings.map(({ currency, paidMinor, orders, items }) => (
        <div key={currency}>
          <p className={LARGE}>{formatMoney(paidMinor, currency, locale)}</p>
          <p className="text-muted">{t('ordersOfItems', { orders, items })}</p>
        </div>
      ))}
      <Link href="/admin/orders" prefetch={false} className={LINK}>
        {t('toOrders')}
      </Link>
    </HomeCard>
  );
}

function NextCard({ home: { next, nextCount } }: { home: Pick<Home, 'next' | 'nextCount'> }) {
  const t = useTranslations('AdminHome');
  const localDate = useLocalDate();
  const [first, ...others] = next;
  if (!first)
    return (
      <HomeCard heading={t('nextStart')}>
        <p className={LARGE}>{t('noNext')}</p>
        <Link href="/admin/sales" prefetch={false} className={LINK}>
          {t('toSales')}
        </Link>
      </HomeCard>
    );
  return (
    <HomeCard heading={t('nextStart')}>
      <p className={LARGE}>{localDate(first.startsAt, 'short')}</p>
      <SaleLink sale={first} />
      <ul className="grid">
        {others.map((sale) => (
          <li key={sale.saleId} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <SaleLink sale={sale} />
            <span className="text-muted tabular-nums">{localDate(sale.startsAt, 'short')}</span>
          </li>
        ))}
      </ul>
      {nextCount > next.length ? (
        <Link href="/admin/sales?status=scheduled" prefetch={false} className={LINK}>
          {t('allNext', { count: nextCount })}
        </Link>
      ) : null}
    </HomeCard>
  );
}

const SaleLink = ({ sale: { saleId, title } }: { sale: HomeSale }) => (
  <Link href={`/admin/sales/${saleId}`} prefetch={false} className={cn(LINK, 'justify-self-start')}>
    {title}
  </Link>
);
