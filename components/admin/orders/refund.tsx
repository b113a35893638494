'use client';

import { useTranslations } from 'next-intl';
import { Card } from '@/components/ui/card';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { OrderDetail } from '@/lib/contract/shapes/order';
import { WaitsNotice } from '../approvals/waits-notice';
import { RefundForm } from './refund-form';

interface RefundProps {
  order: OrderDetail;
  mayChange: boolean;
  refresh: () => Promise<void>;
}

/** The way to send a paid order's money back; or, while a second person is asked, who asked and until when. */
export function Refund({ order, mayChange, refresh }: RefundProps) {
  const t = useTranslations('AdminOrders');
  const approvals = useTranslations('AdminApprovals');
  const localDate = useLocalDate();
  const { waitingRefund: waiting } = order;
  return (
    <Card className="p-5">
      <section aria-label={t('refund')} className="grid content-start">
        <h2 className="mb-4 font-semibold text-lg">{t('refund')}</h2>
        {/* It stands before its words come, or nobody would hear them. */}
        <div role="status">
          {waiting ? (
            <WaitsNotice>
              {approvals('askedFor', {
                who: waiting.requestedByEmail ?? waiting.requestedBy,
                date: localDate(waiting.requestedAt, 'short'),
                reason: waiting.reason,
              })}{' '}
              {approvals('until', { date: localDate(waiting.expiresAt, 'short') })}
            </WaitsNotice>
          ) : null}
        </div>
        {mayChange && !waiting ? <RefundForm order={order} refresh={refresh} /> : null}
      </section>
    </Card>
  );
}
