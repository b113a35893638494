'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useMemo } from 'react';
import type { ApiProblem } from '@/components/api/api-problem';
import { findTokenOf } from '@/components/attempt/attempt-store';
import { formatShort } from '@/components/clock/countdown-parts';
import { useServerNow } from '@/components/clock/use-server-now';
import { ReceiptLink } from '@/components/prove/receipt-link';
import { SignInPrompt } from '@/components/session/sign-in-prompt';
import { buttonStyle } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { CenteredMessage } from '@/components/ui/centered-message';
import { cn } from '@/components/ui/cn';
import { Notice } from '@/components/ui/notice';
import { usePathId } from '@/components/ui/use-path-id';
import { useProblemText } from '@/components/ui/use-problem-text';
import { Link } from '@/i18n/navigation';
import type { OrderView } from '@/lib/contract/shapes/order';
import { formatMoney } from '@/lib/money';
import { Deadline } from './deadline';
import { OrderActions } from './order-actions';
import { OrderAddress } from './order-address';
import { OrderDelivery } from './order-delivery';
import { OrderHistory } from './order-history';
import { orderWords } from './order-words';
import { Receipt } from './receipt';
import { StepLine } from './step-line';
import { useOrder } from './use-order';

/** Shows one order, from "being written" to its receipt. The prerendered page is the same for every order. */
export function OrderPage() {
  const t = useTranslations('Order');
  const orderNo = usePathId();
  const token = useMemo(() => (orderNo ? findTokenOf(orderNo) : null), [orderNo]);
  const { order, problem, refresh } = useOrder(orderNo, token);
  const problemText = useProblemText();

  // A purchase that waited in a sale's queue and was refused there.
  if (problem?.status === 409) {
    return (
      <CenteredMessage heading={t('heading')} text={problemText(problem.code)}>
        <Link href="/orders" className={buttonStyle()}>
          {t('allOrders')}
        </Link>
      </CenteredMessage>
    );
  }
  if (order) return <OrderSheet order={order} token={token} problem={problem} refresh={refresh} />;
  if (problem?.status === 401) return <SignInPrompt text={t('signIn')} callbackPath={`/orders/${orderNo}`} />;
  if (problem && !problem.isTransient) {
    return (
      <CenteredMessage heading={t('heading')} text={t('notFound')}>
        <Link href="/orders" className={buttonStyle()}>
          {t('allOrders')}
        </Link>
      </CenteredMessage>
    );
  }
  return (
    <div className="grid gap-6">
      <h1 className="font-bold text-3xl tracking-tight">{t('heading')}</h1>
      {problem ? (
        <Notice tone="warning">{t('stale')}</Notice>
      ) : (
        <p className="text-lg text-muted">{t('loading')}</p>
      )}
    </div>
  );
}

interface OrderSheetProps {
  order: OrderView;
  token: string | null;
  problem: ApiProblem | null;
  refresh: () => void;
}

function OrderSheet({ order, token, problem, refresh }: OrderSheetProps) {
  const t = useTranslations('Order');
  const locale = useLocale();
  const { now } = useServerNow(order.payBy);
  const { status, payBy, delivery } = order;
  const hasLapsed = payBy !== null && now !== null && now >= payBy;
  const isPayable = status === 'pending_payment' && !hasLapsed;
  const isMissing = delivery?.way === 'parcel' && !delivery.hasAddress;
  const isOpen = status === 'pending_payment' || status === 'paid';
  const isComing = isOpen || (delivery?.step != null && delivery.step !== 'waiting');
  const words = orderWords(order, hasLapsed);
  const time = payBy === null || now === null ? '' : formatShort(payBy - now);
  return (
    <div className="grid gap-6">
      <div className="grid gap-1">
        <p className="text-muted tabular-nums">{t('number', { orderNo: order.orderNo })}</p>
        <h1
          className={cn(
            'font-bold text-3xl tabular-nums tracking-tight sm:text-4xl',
            status === 'paid' && 'text-success',
            isPayable && 'text-warning',
          )}
        >
          {t(words.title, { time })}
        </h1>
        {/* The heading ticks, so this line announces only the change of state. */}
        <p role="status" className="text-lg text-muted">
          {t(words.text, { amount: formatMoney(order.refundedMinor, order.currency, locale) })}
        </p>
      </div>
      {problem ? <Notice tone="warning">{t('stale')}</Notice> : null}
      <Card className="grid gap-6 p-5 sm:p-6">
        <StepLine status={status} />
        {isPayable && payBy !== null && now !== null ? (
          <Deadline payBy={payBy} createdAt={order.createdAt} now={now} />
        ) : null}
        {isPayable && isMissing ? <OrderAddress order={order} onChange={refresh} /> : null}
        {isPayable ? <OrderActions order={order} mayPay={!isMissing} onChange={refresh} /> : null}
      </Card>
      {delivery && isComing && !(isPayable && isMissing) ? (
        <Card className="p-5 sm:p-6">
          <OrderDelivery order={order} delivery={delivery} onChange={refresh} />
        </Card>
      ) : null}
      <Card className="p-5 sm:p-6">
        <Receipt order={order} token={token} />
      </Card>
      {status === 'queued' ? null : (
        <Card className="p-5 empty:hidden sm:p-6 print:hidden">
          <OrderHistory order={order} token={token} />
        </Card>
      )}
      {status === 'queued' ? null : (
        <Card className="p-5 sm:p-6 print:hidden">
          <ReceiptLink saleId={order.saleId} />
        </Card>
      )}
      <div className="flex flex-wrap gap-3 print:hidden">
        <Link href={`/sales/${order.saleSlug}`} className={buttonStyle()} prefetch={false}>
          {t('toSale')}
        </Link>
        {order.campaign ? (
          <Link href={`/campaigns/${order.campaign.slug}`} className={buttonStyle()} prefetch={false}>
            <bdi>{order.campaign.title}</bdi>
          </Link>
        ) : null}
        <Link href="/orders" className={buttonStyle()} prefetch={false}>
          {t('allOrders')}
        </Link>
      </div>
    </div>
  );
}
