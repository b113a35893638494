'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ApiProblem } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { useRefreshLists } from '@/components/api/use-list';
import { Button, buttonStyle } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { useProblemText } from '@/components/ui/use-problem-text';
import { Link } from '@/i18n/navigation';
import type { Reconciliation } from '@/lib/contract/shapes/reconcile';
import type { DifferenceKind } from '@/lib/contract/words/reconcile';
import { ActionButton } from '../kit/action-button';
import { useAction } from '../kit/use-action';
import { useMayAct } from '../kit/use-may-act';
import { ReportHistory } from './report-history';
import { ReportView } from './report-view';
import { RunProgress } from './run-progress';

const EVERY_MS = 10_000;
const EVERY_MS_MEANWHILE = 500;
/** Bounds the wait for a reconciliation. A large sale takes a while, and a second reconciliation waits for the first. */
const RUN_WITHIN_MS = 60_000;

/** Shows the last or an earlier report of one sale. Staff can reconcile it now, and repair what can be repaired. */
export function SaleReconciliation({ saleId, onClose }: { saleId: string; onClose: () => void }) {
  const t = useTranslations('AdminReconcile');
  const common = useTranslations('Common');
  const problemText = useProblemText();
  const client = useQueryClient();
  const refreshLists = useRefreshLists();
  const mayRun = useMayAct('work');
  /** The id of the earlier report that the user looks at; null: the last one. */
  const [earlier, setEarlier] = useState<string | null>(null);
  const sale = useQuery({
    queryKey: ['reconciled-sale', saleId],
    queryFn: async ({ signal }) => {
      const { sales } = await request('GET /api/admin/reconciliations', { query: { saleId }, signal });
      return sales[0] ?? null;
    },
  });
  const chosen = useQuery({
    queryKey: ['reconcile-report', saleId, earlier],
    queryFn: ({ signal }) =>
      request('GET /api/admin/sales/{saleId}/reconcile/reports/{reportId}', {
        params: { saleId, reportId: earlier ?? '' },
        signal,
      }),
    enabled: earlier !== null,
  });
  const run = useAction('POST /api/admin/sales/{saleId}/reconcile', {
    onDone: (report) => {
      setEarlier(null);
      client.setQueryData<Reconciliation>(['reconcile-last', saleId], { report, progress: null });
    },
    refresh: () => {
      void client.invalidateQueries({ queryKey: ['reconcile-reports'] });
      refreshLists('GET /api/admin/reconciliations');
    },
  });
  /** @param kinds which differences to repair; none if left out */
  const start = (kinds?: DifferenceKind[]) =>
    run.mutate({
      params: { saleId },
      body: kinds ? { repair: true, kinds } : {},
      timeoutMs: RUN_WITHIN_MS,
    });
  const last = useQuery({
    queryKey: ['reconcile-last', saleId],
    queryFn: ({ signal }) =>
      request('GET /api/admin/sales/{saleId}/reconcile', { params: { saleId }, signal }),
    refetchInterval: run.isPending ? EVERY_MS_MEANWHILE : EVERY_MS,
    retry: false,
  });
  if (last.error instanceof ApiProblem && last.error.status === 404) {
    return (
      <Notice tone="warning" role="alert">
        {problemText(last.error)}
      </Notice>
    );
  }
  const report = earlier === null ? last.data?.report : chosen.data?.report;
  const error = run.error ?? (last.data ? null : last.error);
  return (
    <section aria-label={t('one')} className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold text-xl">{sale.data?.title ?? t('one')}</h2>
        <div className="flex flex-wrap gap-3">
          {mayRun ? (
            <ActionButton action={run} tone="primary" onPress={() => start()}>
              {t('run')}
            </ActionButton>
          ) : null}
          <Link href={`/admin/sales/${saleId}`} prefetch={false} className={buttonStyle()}>
            {t('toSale')}
          </Link>
          <Button tone="plain" onClick={onClose}>
            {t('close')}
          </Button>
        </div>
      </div>
      {run.isPending ? (
        <RunProgress
          isRepairing={run.variables.body?.repair === true}
          progress={last.data?.progress ?? null}
        />
      ) : null}
      <Problem error={error} />
      {earlier === null ? null : (
        <Notice>
          {t('earlier')}{' '}
          <button type="button" className="underline underline-offset-4" onClick={() => setEarlier(null)}>
            {t('toLast')}
          </button>
        </Notice>
      )}
      {report ? (
        <ReportView
          report={report}
          mayRepair={mayRun && earlier === null && !run.isPending}
          onRepair={(kind) => start([kind])}
        />
      ) : (
        <Card className="p-5 text-muted">{last.data ? t('neverYet') : common('loading')}</Card>
      )}
      <ReportHistory saleId={saleId} shown={earlier} onShow={setEarlier} />
    </section>
  );
}
