'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { request } from '@/components/api/request';
import { useRefreshLists } from '@/components/api/use-list';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import type { ImportedCatalogue } from '@/lib/contract/shapes/catalogue';
import { CATALOGUE_COLUMNS, MAX_CATALOGUE_LINES } from '@/lib/contract/words/catalogue';
import { FileButton } from '../kit/file-button';
import { FileProblem } from '../kit/file-problem';
import { readFile } from '../kit/read-file';
import { ShopField, shopForNew } from '../kit/shop-field';
import { useActionOf } from '../kit/use-action';
import { useShops } from '../kit/use-shops';

const WITHIN_MS = 120_000;

/** Makes products, and drafts of their sales, from a file: first it is checked, then the user says yes. */
export function ProductImport() {
  const t = useTranslations('AdminProducts.import');
  const shops = useShops('settings');
  const [chosen, setChosen] = useState('');
  /** The text of the file that was found good. */
  const [good, setGood] = useState<string | null>(null);
  const refreshLists = useRefreshLists();
  const send = async (csv: string, isDryRun: boolean) => {
    const body = { csv, isDryRun, shopId: shopForNew(shops, chosen) };
    const result = await request('POST /api/admin/products/import', { body, timeoutMs: WITHIN_MS });
    setGood(isDryRun && result.failed === 0 ? csv : null);
    return { ...result, isDryRun };
  };
  const take = useActionOf(
    async ({ csv, file }: { csv?: string; file?: File }) => {
      setGood(null);
      return file ? send(await readFile(file), true) : send(csv ?? '', false);
    },
    { onDone: () => refreshLists('GET /api/admin/products', 'GET /api/admin/sales') },
  );
  return (
    <Card className="grid gap-4 p-5">
      <h2 className="font-semibold text-lg">{t('heading')}</h2>
      <p className="text-muted text-sm">
        {t('help', { columns: CATALOGUE_COLUMNS.join(', '), max: MAX_CATALOGUE_LINES })}
      </p>
      <ShopField shops={shops} value={chosen} onChange={({ target }) => setChosen(target.value)} />
      <div className="flex flex-wrap gap-3">
        <FileButton onFile={(file) => (take.isPending ? undefined : take.mutate({ file }))}>
          {t('choose')}
        </FileButton>
        {good === null ? null : (
          <Button tone="primary" isBusy={take.isPending} onClick={() => take.mutate({ csv: good })}>
            {t('make')}
          </Button>
        )}
      </div>
      <FileProblem error={take.error} />
      {take.data ? <Result result={take.data} /> : null}
    </Card>
  );
}

function Result({ result }: { result: ImportedCatalogue & { isDryRun: boolean } }) {
  const t = useTranslations('AdminProducts.import');
  const { products, sales, failed, errors, isPartial, isDryRun } = result;
  if (failed === 0)
    return (
      <Notice tone="success" role="status">
        {t(isDryRun ? 'wouldMake' : 'made', { products, sales })}
      </Notice>
    );
  return (
    <Notice tone="warning" role="status">
      <p>{isPartial ? t('stopped') : t('failed', { count: failed })}</p>
      <ul>
        {errors.map(({ line, column, problem }) => (
          <li key={`${line} ${column}`}>
            {t('errorLine', { line, column, problem: t(`problems.${problem}`) })}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
