'use client';

import { useTranslations } from 'next-intl';
import { addressOf, request } from '@/components/api/request';
import { useMay } from '@/components/session/use-may';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import type { ImportedBlocks } from '@/lib/contract/shapes/block';
import { ExportLink } from '../kit/export-link';
import { FileButton } from '../kit/file-button';
import { FileProblem } from '../kit/file-problem';
import { readFile } from '../kit/read-file';
import { useActionOf } from '../kit/use-action';
import type { BlockFilter } from './use-block-filter';
import { useRowProblem } from './use-row-problem';

const IMPORT_WITHIN_MS = 60_000;

/** Imports the blocklist from a CSV file, and exports it as one. */
export function BlockFiles({ filter, onChange }: { filter: BlockFilter; onChange: () => void }) {
  const t = useTranslations('Admin.blocks');
  const mayChange = useMay('operator');
  const take = useActionOf(
    async (file: File) =>
      request('POST /api/admin/blocks/import', {
        body: { csv: await readFile(file) },
        timeoutMs: IMPORT_WITHIN_MS,
      }),
    { refresh: onChange },
  );
  return (
    <Card className="grid gap-4 p-5">
      <h2 className="font-semibold text-lg">{t('files')}</h2>
      {mayChange ? <p className="text-muted text-sm">{t('filesHelp')}</p> : null}
      <div className="flex flex-wrap gap-3">
        {mayChange ? (
          <FileButton onFile={(file) => (take.isPending ? undefined : take.mutate(file))}>
            {t('import')}
          </FileButton>
        ) : null}
        <ExportLink href={addressOf('GET /api/admin/blocks/export', { query: { ...filter } })}>
          {t('export')}
        </ExportLink>
      </div>
      <FileProblem error={take.error} />
      {take.data ? <ImportResult result={take.data} /> : null}
    </Card>
  );
}

function ImportResult({ result: { imported, failed, errors } }: { result: ImportedBlocks }) {
  const t = useTranslations('Admin.blocks');
  const rowProblem = useRowProblem();
  return (
    <Notice tone={failed > 0 ? 'warning' : 'success'} role="status">
      <p>{t('imported', { count: imported })}</p>
      {failed > 0 ? <p>{t('failed', { count: failed })}</p> : null}
      <ul>
        {errors.map(({ line, problem }) => (
          <li key={line}>{t('errorLine', { line, problem: rowProblem(problem) })}</li>
        ))}
      </ul>
      {failed > errors.length ? <p>{t('moreErrors')}</p> : null}
    </Notice>
  );
}
