'use client';

import { useLocale, useTranslations } from 'next-intl';
import { ApiProblem } from '@/components/api/api-problem';
import { useList } from '@/components/api/use-list';
import { PointsStrip } from '@/components/points/points-strip';
import { SignInPrompt } from '@/components/session/sign-in-prompt';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Button, buttonStyle } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import { Link } from '@/i18n/navigation';
import type { OrderView } from '@/lib/contract/shapes/order';
import type { OrderStatus } from '@/lib/contract/words/order';
import { formatMoney } from '@/lib/money';
import { ItemName } from './item-name';

const TONES: Record<OrderStatus, BadgeTone> = {
  undecided: 'neutral',
  queued: 'neutral',
  pending_payment: 'warning',
  paid: 'success',
  refunded: 'neutral',
  cancelled: 'neutral',
  failed: 'danger',
};

/** Lists the shopper's orders, newest first, page by page. */
export function OrderList() {
  const t = useTranslations('Orders');
  const common = useTranslations('Common');
  const { query, items: orders } = useList('GET /api/orders', { staleTime: 0 });
  const { data, error } = query;

  if (error instanceof ApiProblem && error.status === 401) {
    return <SignInPrompt text={common('signInFirst')} callbackPath="/orders" />;
  }
  return (
    <div className="grid gap-6">
      <h1 className="font-bold text-3xl tracking-tight">{t('heading')}</h1>
      {data ? <PointsStrip /> : null}
      <Problem error={error} />
      {query.isPending ? <p className="text-lg text-muted">{common('loading')}</p> : null}
      {data && orders.length === 0 ? (
        <div className="grid justify-items-start gap-4">
          <p className="text-lg text-muted">{t('empty')}</p>
          <Link href="/" className={buttonStyle()}>
            {common('seeSales')}
          </Link>
        </div>
      ) : null}
      <ul className="grid gap-4">
        {orders.map((order) => (
          <li key={order.orderNo}>
            <OrderRow order={order} />
          </li>
        ))}
      </ul>
      {query.hasNextPage ? (
        <Button
          className="justify-self-center"
          isBusy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {query.isFetchingNextPage ? common('loading') : common('loadMore')}
        </Button>
      ) : null}
    </div>
  );
}

function OrderRow({ order }: { order: OrderView }) {
  const t = useTranslations('Orders');
  const locale = useLocale();
  const localDate = useLocalDate();
  const isInPart = order.status === 'paid' && order.refundedMinor > 0;
  const money = (minor: number) => formatMoney(minor, order.currency, locale);
  return (
    <Card className="relative grid gap-2 p-5 has-focus-visible:outline-3 has-focus-visible:outline-text has-focus-visible:outline-offset-2 hover:bg-sunken">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Badge tone={TONES[order.status]}>{t(isInPart ? 'partRefunded' : order.status)}</Badge>
        <span className="text-muted text-sm tabular-nums">
          {order.createdAt === null ? '' : localDate(order.createdAt, 'short')}
        </span>
      </div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="font-semibold text-lg">
          <Link
            href={`/orders/${order.orderNo}`}
            prefetch={false}
            className="outline-none after:absolute after:inset-0"
          >
            <ItemName {...order} />
          </Link>
        </h2>
        <p className="font-semibold tabular-nums">{money(order.amountMinor)}</p>
      </div>
      <p className="text-muted text-sm tabular-nums">
        {t('quantity', { count: order.quantity })} · {t('number', { orderNo: order.orderNo })}
        {isInPart ? ` · ${t('givenBack', { amount: money(order.refundedMinor) })}` : null}
      </p>
    </Card>
  );
}
