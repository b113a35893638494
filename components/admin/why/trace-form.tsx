'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type FormEvent, useId, useState } from 'react';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import type { TraceQuestion } from './use-trace-question';

interface TraceFormProps {
  question: TraceQuestion;
  onAsk: (question: TraceQuestion) => void;
  isAsking: boolean;
}

/** Which sale, and who. The newest sales are offered by their titles; any other is named by its id. */
export function TraceForm({ question, onAsk, isAsking }: TraceFormProps) {
  const t = useTranslations('AdminWhy');
  const client = useQueryClient();
  const listId = useId();
  const [draft, setDraft] = useState(question);
  const { data } = useQuery({
    queryKey: ['admin-why-sales'],
    queryFn: ({ signal }) => request('GET /api/admin/sales', { signal }),
    staleTime: 60_000,
  });
  const asked = { saleId: draft.saleId.trim(), user: draft.user.trim() };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The same question again wants an answer of now.
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
        value={draft.saleId}
        onChange={({ target }) => setDraft({ ...draft, saleId: target.value })}
      />
      <datalist id={listId}>
        {data?.sales.map(({ saleId, title }) => (
          <option key={saleId} value={saleId}>
            {title}
          </option>
        ))}
      </datalist>
      <TextField
        label={t('user')}
        required
        maxLength={254}
        autoComplete="off"
        value={draft.user}
        onChange={({ target }) => setDraft({ ...draft, user: target.value })}
      />
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
