'use client';

import { useTranslations } from 'next-intl';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { DeadLetterView } from '@/lib/contract/shapes/queue';
import { ActionButton } from '../kit/action-button';
import { ReasonForm } from '../kit/reason-form';
import { together, useAction } from '../kit/use-action';
import { Payload } from './payload';
import { usePartWords } from './use-part-words';
import { useResolutionWords } from './use-resolution-words';

interface DeadLetterProps {
  letter: DeadLetterView;
  mayChange: boolean;
  onChange: () => void;
}

/** Shows one dead letter: what it was, why it was given up, and what staff can do or did about it. */
export function DeadLetter({ letter, mayChange, onChange }: DeadLetterProps) {
  const t = useTranslations('Admin');
  const partWord = usePartWords();
  const resolutionWords = useResolutionWords();
  const done = useTranslations('AdminDone');
  const localDate = useLocalDate();
  const params = { id: letter.id };
  const retry = useAction('POST /api/admin/dead-letters/{id}/retry', {
    says: () => ({ text: done('letterRetried') }),
    refresh: onChange,
  });
  const discard = useAction('POST /api/admin/dead-letters/{id}/discard', {
    says: () => ({ text: done('letterClosed') }),
    refresh: onChange,
  });
  const { consumer, orderNo, error, attempts, payload, createdAt, resolvedAt, resolution } = letter;
  return (
    <div className="grid gap-3">
      <p className="font-medium tabular-nums">
        {partWord(consumer)}
        {orderNo === null ? null : ` · ${t('orderNumber', { orderNo })}`}
      </p>
      <p className="text-muted text-sm tabular-nums">
        {t('givenUp', { count: attempts, time: localDate(createdAt, 'short') })}
      </p>
      <p className="break-words rounded-lg bg-sunken px-3 py-2 font-mono text-sm">{error}</p>
      <Payload value={payload} />
      {resolvedAt === null ? null : (
        <p className="text-success">{resolutionWords(resolution, localDate(resolvedAt, 'short'))}</p>
      )}
      {resolvedAt === null && mayChange ? (
        <ReasonForm
          isRow
          action={discard}
          button={t('discardLetter')}
          tone="danger"
          disabled={retry.isPending}
          onSend={(body) => discard.mutate({ params, body })}
        >
          <ActionButton action={retry} disabled={discard.isPending} onPress={() => retry.mutate({ params })}>
            {t('retryLetter')}
          </ActionButton>
        </ReasonForm>
      ) : null}
      <Problem error={together(retry, discard).error} />
    </div>
  );
}
