'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type FormEvent, useId } from 'react';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { useFields } from '../kit/use-fields';
import type { TraceQuestion } from './use-trace-question';

interface TraceFormProps {
  question: TraceQuestion;
  onAsk: (question: TraceQuestion) => void;
  isAsking: boolean;
}

/** Asks for the sale and the shopper. It offers the newest sales by their titles; any other is named by its id. */
export function TraceForm({ question, onAsk, isAsking }: TraceFormProps) {
  const t = useTranslations('AdminWhy');
  const client = useQueryClient();
  const listId = useId();
  const { values, text } = useFields({ ...question });
  const { data } = useQuery({
    queryKey: ['admin-why-sales'],
    queryFn: ({ signal }) => request('GET /api/admin/sales', { signal }),
    staleTime: 60_000,
  });
  const asked = { saleId: values.saleId.trim(), user: values.user.trim() };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A user who asks the same question again wants a fresh answer.
    void client.invalidateQueries({ queryKey: ['admin-why', asked.saleId, asked.user] });
    onAsk(asked);
  };
  return (
    <form method="post" onSubmit={submit} className="grid items-end gap-4 md:grid-cols-[1fr_1fr_auto]">
      <TextField
        label={t('sale')}
        list={listId}
        required
        maxLength={100}
        autoComplete="off"
        placeholder="sale_…"
        {...text('saleId')}
      />
      <datalist id={listId}>
        {data?.sales.map(({ saleId, title }) => (
          <option key={saleId} value={saleId}>
            {title}
          </option>
        ))}
      </datalist>
      <TextField label={t('user')} required maxLength={254} autoComplete="off" {...text('user')} />
      <Button
        type="submit"
        tone="primary"
        isBusy={isAsking}
        disabled={asked.saleId === '' || asked.user === ''}
      >
        {t('ask')}
      </Button>
    </form>
  );
}
