'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { OrderDetail } from '@/lib/contract/shapes/order';
import { isolated } from '@/lib/human-text';
import { WaitsNotice } from '../approvals/waits-notice';
import { ChoiceField } from '../kit/choice-field';
import { RefundForm } from './refund-form';
import { RefundPartForm } from './refund-part-form';

const CHOICES = ['all', 'part'] as const;

interface RefundProps {
  order: OrderDetail;
  mayChange: boolean;
  refresh: () => Promise<void>;
}

/** Offers to refund a paid order, in part or all that is left. While a second person has to allow it, says who asked and until when. */
export function RefundCard({ order, mayChange, refresh }: RefundProps) {
  const t = useTranslations('AdminOrders');
  const approvals = useTranslations('AdminApprovals');
  const localDate = useLocalDate();
  const { waitingRefund: waiting } = order;
  const isInPart = order.refundedMinor > 0;
  const [choice, setChoice] = useState<(typeof CHOICES)[number]>('all');
  const step = order.delivery?.step;
  return (
    <Card className="p-5">
      <section aria-label={t('refund')} className="grid content-start">
        <h2 className="mb-4 font-semibold text-lg">{t('refund')}</h2>
        {/* Stands here before its text comes; otherwise a screen reader would not announce the text. */}
        <div role="status">
          {waiting ? (
            <WaitsNotice>
              {approvals('askedFor', {
                who: waiting.requestedByEmail ?? waiting.requestedBy,
                date: localDate(waiting.requestedAt, 'short'),
                reason: isolated(waiting.reason),
              })}{' '}
              {approvals('until', { date: localDate(waiting.expiresAt, 'short') })}
            </WaitsNotice>
          ) : null}
        </div>
        {step && step !== 'waiting' && step !== 'returned' ? (
          <Notice tone="warning" className="mb-4">
            {t('delivery.refundWarning', { step })}
          </Notice>
        ) : null}
        {mayChange && !waiting ? (
          <div className="grid gap-4">
            <ChoiceField
              label={t('howMuch')}
              choices={CHOICES}
              value={choice}
              nameOf={(each) => t(each === 'part' ? 'aPart' : isInPart ? 'allThatIsLeft' : 'allOfIt')}
              onChoose={setChoice}
            />
            {choice === 'part' ? (
              <RefundPartForm order={order} refresh={refresh} />
            ) : (
              <RefundForm order={order} refresh={refresh} />
            )}
          </div>
        ) : null}
      </section>
    </Card>
  );
}
