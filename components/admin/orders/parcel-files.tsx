'use client';

import { useTranslations } from 'next-intl';
import { addressOf, request } from '@/components/api/request';
import { useRefreshLists } from '@/components/api/use-list';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import { MAX_SHIPMENTS, SHIPMENT_COLUMNS } from '@/lib/contract/words/delivery';
import { ExportLink } from '../kit/export-link';
import { FileButton } from '../kit/file-button';
import { FileProblem } from '../kit/file-problem';
import { readFile } from '../kit/read-file';
import { useActionOf } from '../kit/use-action';

const WITHIN_MS = 120_000;

/** Gives the addresses of parcels as a file, and takes the carrier's numbers from one. */
export function ParcelFiles({ saleId }: { saleId: string }) {
  const t = useTranslations('AdminOrders.parcels');
  const refreshLists = useRefreshLists();
  const take = useActionOf(
    async (file: File) =>
      request('POST /api/admin/orders/shipments', {
        body: { csv: await readFile(file) },
        timeoutMs: WITHIN_MS,
      }),
    { refresh: () => refreshLists('GET /api/admin/orders') },
  );
  return (
    <Card className="grid gap-4 p-5">
      <h2 className="font-semibold text-lg">{t('heading')}</h2>
      <p className="text-muted text-sm">
        {t('help', { columns: SHIPMENT_COLUMNS.join(', '), max: MAX_SHIPMENTS })}
      </p>
      <div className="flex flex-wrap gap-3">
        {(['waiting', 'packed'] as const).map((step) => (
          <ExportLink
            key={step}
            href={addressOf('GET /api/admin/orders/parcels/export', { query: { step, saleId } })}
          >
            {t(step)}
          </ExportLink>
        ))}
        <FileButton onFile={(file) => (take.isPending ? undefined : take.mutate(file))}>
          {t('import')}
        </FileButton>
      </div>
      <FileProblem error={take.error} />
      {take.data ? (
        <Notice tone={take.data.failed > 0 ? 'warning' : 'success'} role="status">
          <p>{t('shipped', { count: take.data.shipped })}</p>
          {take.data.failed > 0 ? <p>{t('failed', { count: take.data.failed })}</p> : null}
          <ul>
            {take.data.errors.map(({ line, problem }) => (
              <li key={line}>{t('errorLine', { line, problem: t(`problems.${problem}`) })}</li>
            ))}
          </ul>
        </Notice>
      ) : null}
    </Card>
  );
}
