'use client';

import { useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';

/** Shows new recovery codes until the visitor has kept them. */
export function NewCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const t = useTranslations('Account');
  return (
    <>
      <h3 className="font-semibold text-lg">{t('newCodes')}</h3>
      <Notice tone="warning">{t('newCodesText')}</Notice>
      <ol className="grid gap-2 font-mono text-sm tabular-nums sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code} className="wrap-anywhere">
            {code}
          </li>
        ))}
      </ol>
      <Button tone="primary" className="justify-self-start" onClick={onKept}>
        {t('keptThem')}
      </Button>
    </>
  );
}
