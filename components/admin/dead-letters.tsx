'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { DeadLetterView } from '@/components/api/types';
import { useMay } from '@/components/session/use-may';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import { useProblemText } from '@/components/ui/use-problem-text';
import { getDeadLetters, postDiscard, postRetry } from './admin-api';

interface DeadLettersProps {
  saleId: string;
  /** How many the live numbers count; the list is asked for when this changes. */
  count: number;
  onChange: () => void;
}

/** What was given up in this sale, with its error: to be tried again, or closed with a reason. */
export function DeadLetters({ saleId, count, onChange }: DeadLettersProps) {
  const t = useTranslations('Admin');
  const { data, refetch } = useQuery({
    queryKey: ['dead-letters', saleId, count],
    queryFn: ({ signal }) => getDeadLetters(saleId, signal),
    placeholderData: (previous) => previous,
    enabled: count > 0,
  });
  if (count === 0 || !data || data.deadLetters.length === 0) return null;
  const refresh = () => {
    void refetch();
    onChange();
  };
  return (
    <Card className="p-5">
      <section aria-label={t('deadLetters')} className="grid gap-4">
        <h2 className="font-semibold text-lg">{t('deadLetters')}</h2>
        <p className="text-muted text-sm">{t('deadLettersHelp')}</p>
        <ul className="grid gap-4">
          {data.deadLetters.map((letter) => (
            <li key={letter.id} className="border-line border-t pt-4">
              <Letter letter={letter} onChange={refresh} />
            </li>
          ))}
        </ul>
      </section>
    </Card>
  );
}

function Letter({ letter, onChange }: { letter: DeadLetterView; onChange: () => void }) {
  const t = useTranslations('Admin');
  const localDate = useLocalDate();
  const problemText = useProblemText();
  const mayChange = useMay('desk');
  const [reason, setReason] = useState('');
  const retry = useMutation({ mutationFn: () => postRetry(letter.id), onSettled: onChange });
  const discard = useMutation({
    mutationFn: () => postDiscard(letter.id, reason.trim()),
    onSettled: onChange,
  });
  const isBusy = retry.isPending || discard.isPending;
  const problem = retry.error ?? discard.error;
  const { consumer, orderNo, error, attempts, createdAt } = letter;
  return (
    <div className="grid gap-3">
      <p className="font-medium tabular-nums">
        {consumer}
        {orderNo === null ? null : ` · ${t('orderNumber', { orderNo })}`}
      </p>
      <p className="text-muted text-sm tabular-nums">
        {t('givenUp', { count: attempts, time: localDate(createdAt, 'short') })}
      </p>
      <p className="break-words rounded-lg bg-sunken px-3 py-2 font-mono text-sm">{error}</p>
      {mayChange ? (
        <div className="flex flex-wrap items-end gap-3">
          <Button disabled={isBusy} onClick={() => retry.mutate()}>
            {t('retryLetter')}
          </Button>
          <TextField
            label={t('reason')}
            value={reason}
            maxLength={500}
            onChange={(event) => setReason(event.target.value)}
          />
          <Button tone="danger" disabled={isBusy || reason.trim() === ''} onClick={() => discard.mutate()}>
            {t('discardLetter')}
          </Button>
        </div>
      ) : null}
      {problem ? (
        <Notice tone="danger" role="alert">
          {problemText(problem)}
        </Notice>
      ) : null}
    </div>
  );
}
