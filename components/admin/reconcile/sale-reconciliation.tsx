'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { ApiProblem } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { Button, buttonStyle } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { useProblemText } from '@/components/ui/use-problem-text';
import { Link } from '@/i18n/navigation';
import { ActionButton } from '../kit/action-button';
import { useMayInShop } from '../kit/use-shops';
import { ReportHistory } from './report-history';
import { ReportView } from './report-view';
import { RunProgress } from './run-progress';
import { useReconciliation } from './use-reconciliation';

/** Shows the last or an earlier report of one sale. Staff can reconcile it now, and repair what can be repaired. */
export function SaleReconciliation({ saleId, onClose }: { saleId: string; onClose: () => void }) {
  const t = useTranslations('AdminReconcile');
  const common = useTranslations('Common');
  const problemText = useProblemText();
  const mayRun = useMayInShop('work');
  const { earlier, setEarlier, run, last, report, start } = useReconciliation(saleId);
  const sale = useQuery({
    queryKey: ['reconciled-sale', saleId],
    queryFn: async ({ signal }) => {
      const { sales } = await request('GET /api/admin/reconciliations', { query: { saleId }, signal });
      return sales[0] ?? null;
    },
  });
  if (last.error instanceof ApiProblem && last.error.status === 404) {
    return (
      <Notice tone="warning" role="alert">
        {problemText(last.error)}
      </Notice>
    );
  }
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
