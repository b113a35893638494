'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { problemCode } from '@/components/api/api-problem';
import { newRequestId } from '@/components/api/new-request-id';
import { TextField } from '@/components/ui/field';
import type { OrderDetail } from '@/lib/contract/shapes/order';
import { formatMoney, parseMoney } from '@/lib/money';
import { ReasonForm } from '../kit/reason-form';
import { useAction } from '../kit/use-action';

/** Gives back a part of a paid order's money. The order stays paid, with its units and points. */
export function RefundPartForm({ order, refresh }: { order: OrderDetail; refresh: () => Promise<void> }) {
  const t = useTranslations('AdminOrders');
  const done = useTranslations('AdminDone');
  const locale = useLocale();
  const { orderNo, email, amountMinor, refundedMinor, currency } = order;
  const [text, setText] = useState('');
  /** Kept until the part is made. A person who got no answer and presses again makes one part. */
  const [requestId, setRequestId] = useState(newRequestId);
  const money = (minor: number) => formatMoney(minor, currency, locale);
  const refund = useAction('POST /api/admin/orders/{orderNo}/refund-parts', {
    onDone: () => {
      setRequestId(newRequestId());
      setText('');
    },
    says: (answer, { body }) =>
      answer.status === 'pending'
        ? null
        : { text: done('orderPartRefunded', { amount: money(body.amountMinor) }) },
    // The part before it was made, although its answer got lost: what is pressed next is another one.
    onError: (error) => {
      if (problemCode(error) === 'CREATED_OTHERWISE') setRequestId(newRequestId());
    },
    refresh,
  });
  const leftMinor = amountMinor - refundedMinor;
  const left = money(leftMinor);
  const minor = parseMoney(text, currency) ?? 0;
  const isTooLarge = minor >= leftMinor;
  const isValid = minor > 0 && !isTooLarge;
  const amount = money(minor);
  const wrong = isTooLarge ? t('partTooLarge', { left }) : t('partWrong');
  return (
    <ReasonForm
      round={requestId}
      action={refund}
      button={isValid ? t('partNow', { amount }) : t('partNowNone')}
      disabled={!isValid}
      ask={{
        title: t('partTitle', { amount }),
        text: t('partConsequence', { amount, left, email }),
        confirmLabel: t('partConfirm'),
        keepLabel: t('keep'),
      }}
      onSend={({ reason }) =>
        refund.mutate({ params: { orderNo }, body: { amountMinor: minor, reason, requestId } })
      }
    >
      <TextField
        label={t('partAmount')}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={({ target }) => setText(target.value)}
        hint={isValid ? t('partText', { left, newLeft: money(leftMinor - minor) }) : t('partHint', { left })}
        error={text !== '' && !isValid ? wrong : null}
      />
    </ReasonForm>
  );
}
