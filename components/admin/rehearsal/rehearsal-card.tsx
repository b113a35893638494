'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import type { RehearsalView } from '@/lib/contract/shapes/rehearsal';
import { MAX_SHOPPERS, MIN_SHOPPERS } from '@/lib/contract/words/rehearsal';
import { useAction } from '../kit/use-action';
import { useMayInShop } from '../kit/use-shops';
import { RehearsalReportView } from './rehearsal-report';

const USUAL_SHOPPERS = 1_000;
const LOOK_EVERY_MS = 1_000;

const isUnderWay = (rehearsal: RehearsalView | null | undefined) =>
  rehearsal?.state === 'queued' || rehearsal?.state === 'running';

/** Rehearses a sale before it starts, with a simulated crowd, and shows how it went. */
export function RehearsalCard({ saleId, canStart }: { saleId: string; canStart: boolean }) {
  const t = useTranslations('AdminRehearsal');
  const client = useQueryClient();
  const [shoppers, setShoppers] = useState(String(USUAL_SHOPPERS));
  const queryKey = ['admin-rehearsal', saleId];
  const { data: latest } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const { rehearsals } = await request('GET /api/admin/sales/{saleId}/rehearsals', {
        params: { saleId },
        query: { limit: 1 },
        signal,
      });
      return rehearsals[0] ?? null;
    },
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? LOOK_EVERY_MS : false),
  });
  const start = useAction('POST /api/admin/sales/{saleId}/rehearsals', {
    onDone: (rehearsal) => client.setQueryData(queryKey, rehearsal),
  });
  const count = /^\d{1,6}$/.test(shoppers.trim()) ? Number(shoppers) : 0;
  const isWrong = count < MIN_SHOPPERS || count > MAX_SHOPPERS;
  const isBusy = start.isPending || isUnderWay(latest);
  const mayStart = useMayInShop('settings') && canStart;
  const range = t('shoppersHint', { min: MIN_SHOPPERS, max: MAX_SHOPPERS });
  if (!mayStart && !latest) return null;
  return (
    <Card className="grid content-start gap-4 p-5">
      <div className="grid gap-1">
        <h2 className="font-semibold text-lg">{t('heading')}</h2>
        <p className="text-muted">{t('intro')}</p>
      </div>
      {mayStart ? (
        <form
          method="post"
          className="grid items-start gap-4 sm:grid-cols-[12rem_auto]"
          onSubmit={(event) => {
            event.preventDefault();
            start.mutate({ params: { saleId }, body: { shoppers: count } });
          }}
        >
          <TextField
            label={t('shoppers')}
            inputMode="numeric"
            value={shoppers}
            hint={range}
            error={isWrong ? range : null}
            onChange={(event) => setShoppers(event.target.value)}
          />
          <Button
            type="submit"
            className="sm:mt-7.5 sm:justify-self-start"
            isBusy={isBusy}
            disabled={isWrong}
          >
            {t(latest ? 'again' : 'start')}
          </Button>
        </form>
      ) : null}
      <Problem error={start.error} />
      <Latest rehearsal={latest ?? null} />
    </Card>
  );
}

function Latest({ rehearsal }: { rehearsal: RehearsalView | null }) {
  const t = useTranslations('AdminRehearsal');
  if (!rehearsal) return <p className="text-muted">{t('none')}</p>;
  if (rehearsal.state === 'done' && rehearsal.report)
    return (
      <RehearsalReportView report={rehearsal.report} endedAt={rehearsal.endedAt ?? rehearsal.createdAt} />
    );
  if (rehearsal.state === 'failed') return <Notice tone="danger">{t('failed')}</Notice>;
  const { progress } = rehearsal;
  const text = rehearsal.state === 'queued' ? t('queued') : t('running', { progress });
  return (
    <div className="grid gap-2">
      <p role="status">{text}</p>
      <progress
        className="h-2 w-full overflow-hidden rounded-full accent-text"
        max={100}
        value={progress}
        aria-label={t('heading')}
      />
    </div>
  );
}
