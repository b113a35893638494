'use client';

import { useTranslations } from 'next-intl';
import { type ChangeEvent, useId } from 'react';
import { ApiProblem } from '@/components/api/api-problem';
import { addressOf, request } from '@/components/api/request';
import { useMay } from '@/components/session/use-may';
import { buttonStyle } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import { Notice } from '@/components/ui/notice';
import { useProblemText } from '@/components/ui/use-problem-text';
import type { ImportedBlocks } from '@/lib/contract/shapes/block';
import { ExportLink } from '../kit/export-link';
import { useActionOf } from '../kit/use-action';
import type { BlockFilter } from './use-block-filter';
import { useRowProblem } from './use-row-problem';

const MAX_BYTES = 1024 * 1024;
const IMPORT_WITHIN_MS = 60_000;

/** Imports the blocklist from a CSV file, and exports it as one. */
export function BlockFiles({ filter, onChange }: { filter: BlockFilter; onChange: () => void }) {
  const t = useTranslations('Admin.blocks');
  const problemText = useProblemText();
  const inputId = useId();
  const mayChange = useMay('operator');
  const take = useActionOf(
    async (file: File) => {
      if (file.size > MAX_BYTES) throw new ApiProblem({ status: 413, code: 'TOO_LARGE' });
      return request('POST /api/admin/blocks/import', {
        body: { csv: await file.text() },
        timeoutMs: IMPORT_WITHIN_MS,
      });
    },
    { refresh: onChange },
  );
  const onFile = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    // Otherwise the browser would not report it when the user corrects the file and chooses it again.
    target.value = '';
    if (file && !take.isPending) take.mutate(file);
  };
  const [field] = take.error instanceof ApiProblem ? take.error.fields : [];
  return (
    <Card className="grid gap-4 p-5">
      <h2 className="font-semibold text-lg">{t('files')}</h2>
      {mayChange ? <p className="text-muted text-sm">{t('filesHelp')}</p> : null}
      <div className="flex flex-wrap gap-3">
        {mayChange ? (
          <>
            <input
              id={inputId}
              type="file"
              accept=".csv,text/csv"
              onChange={onFile}
              className="peer sr-only"
            />
            <label
              htmlFor={inputId}
              className={cn(
                buttonStyle(),
                'cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2',
              )}
            >
              {t('import')}
            </label>
          </>
        ) : null}
        <ExportLink href={addressOf('GET /api/admin/blocks/export', { query: { ...filter } })}>
          {t('export')}
        </ExportLink>
      </div>
      {take.error ? (
        <Notice tone="danger" role="alert">
          {field ? t('unreadable', { reason: field.message }) : problemText(take.error)}
        </Notice>
      ) : null}
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
