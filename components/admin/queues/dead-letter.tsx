'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { DeadLetterView } from '@/lib/contract/shapes/queue';
import { useTell } from '../kit/use-tell';
import { Payload } from './payload';
import { usePartWords } from './use-part-words';
import { useResolutionWords } from './use-resolution-words';

interface DeadLetterProps {
  letter: DeadLetterView;
  mayChange: boolean;
  onChange: () => void;
}

/** One dead letter: what it was, why it was given up, and what can be done or was done about it. */
export function DeadLetter({ letter, mayChange, onChange }: DeadLetterProps) {
  const t = useTranslations('Admin');
  const partWord = usePartWords();
  const resolutionWords = useResolutionWords();
  const done = useTranslations('AdminDone');
  const localDate = useLocalDate();
  const [reason, setReason] = useState('');
  const tell = useTell();
  const params = { id: letter.id };
  const retry = useMutation({
    mutationFn: () => request('POST /api/admin/dead-letters/{id}/retry', { params }),
    onSuccess: () => tell(done('letterRetried')),
    onSettled: onChange,
  });
  const discard = useMutation({
    mutationFn: () =>
      request('POST /api/admin/dead-letters/{id}/discard', { params, body: { reason: reason.trim() } }),
    onSuccess: () => tell(done('letterClosed')),
    onSettled: onChange,
  });
  const problem = retry.error ?? discard.error;
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
        <div className="flex flex-wrap items-end gap-3">
          <Button isBusy={retry.isPending} disabled={discard.isPending} onClick={() => retry.mutate()}>
            {t('retryLetter')}
          </Button>
          <TextField
            label={t('reason')}
            value={reason}
            maxLength={500}
            onChange={(event) => setReason(event.target.value)}
          />
          <Button
            tone="danger"
            isBusy={discard.isPending}
            disabled={retry.isPending || reason.trim() === ''}
            onClick={() => discard.mutate()}
          >
            {t('discardLetter')}
          </Button>
        </div>
      ) : null}
      <Problem error={problem} />
    </div>
  );
}
