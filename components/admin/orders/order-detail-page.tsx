'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { problemCode } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { CenteredMessage } from '@/components/ui/centered-message';
import { LINK } from '@/components/ui/link-style';
import { Problem } from '@/components/ui/problem';
import { usePathId } from '@/components/ui/use-path-id';
import { Link } from '@/i18n/navigation';
import type { OrderDetail } from '@/lib/contract/shapes/order';
import { AdminGate } from '../kit/admin-gate';
import { PersonLink } from '../kit/person-link';
import { useMayInShop } from '../kit/use-shops';
import { CancelCard } from './cancel-card';
import { DeliveryCard } from './delivery-card';
import { OrderBadge } from './order-badge';
import { OrderFacts } from './order-facts';
import { OrderTimeline } from './order-timeline';
import { PriceCard } from './price-card';
import { RefundCard } from './refund-card';
import { RefundParts } from './refund-parts';

/** Money goes back, and somebody else may decide, without this page. */
const EVERY_MS = 5_000;

export function OrderDetailPage() {
  const orderNo = usePathId();
  return <AdminGate>{orderNo === null ? null : <Order orderNo={orderNo} />}</AdminGate>;
}

/** Shows one order: what it is, what happened to it, and what staff can do about it. */
function Order({ orderNo }: { orderNo: string }) {
  const t = useTranslations('AdminOrders');
  const common = useTranslations('Common');
  const { data, error, refetch } = useQuery({
    queryKey: ['admin-order', orderNo],
    queryFn: ({ signal }) => request('GET /api/admin/orders/{orderNo}', { params: { orderNo }, signal }),
    refetchInterval: EVERY_MS,
    retry: (count, problem) => problemCode(problem) !== 'ORDER_NOT_FOUND' && count < 3,
  });
  const refresh = async () => void (await refetch());
  if (problemCode(error) === 'ORDER_NOT_FOUND')
    return <CenteredMessage heading={t('one', { orderNo })} text={t('notFound')} />;
  return (
    <div className="grid gap-6">
      <Link href="/admin/orders" prefetch={false} className={`${LINK} justify-self-start`}>
        {t('back')}
      </Link>
      <div className="flex flex-wrap items-center gap-4">
        <h1 className="break-all font-bold text-3xl tabular-nums tracking-tight">{t('one', { orderNo })}</h1>
        {data ? <OrderBadge status={data.status} refundedMinor={data.refundedMinor} /> : null}
      </div>
      <Problem error={error} />
      {data ? <Details order={data} refresh={refresh} /> : error ? null : <p>{common('loading')}</p>}
    </div>
  );
}

function Details({ order, refresh }: { order: OrderDetail; refresh: () => Promise<void> }) {
  const t = useTranslations('AdminOrders');
  const mayChange = useMayInShop('refunds');
  const { status, saleId, userId, delivery, waitingRefund } = order;
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
      <div className="grid gap-6">
        <OrderFacts order={order} />
        <RefundParts order={order} />
        <OrderTimeline order={order} />
      </div>
      <div className="grid gap-6">
        {delivery ? <DeliveryCard order={order} delivery={delivery} refresh={refresh} /> : null}
        {mayChange && status === 'pending_payment' ? <PriceCard order={order} refresh={refresh} /> : null}
        {mayChange && status === 'pending_payment' ? <CancelCard order={order} refresh={refresh} /> : null}
        {status === 'paid' && (mayChange || waitingRefund) ? (
          <RefundCard order={order} mayChange={mayChange} refresh={refresh} />
        ) : null}
        <Link
          href={`/admin/why?${new URLSearchParams({ saleId, user: userId })}`}
          prefetch={false}
          className={LINK}
        >
          {t('whyLink')}
        </Link>
        <PersonLink userId={userId}>{t('helpBuyer')}</PersonLink>
      </div>
    </div>
  );
}
