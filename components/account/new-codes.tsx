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
      <ol className="grid gap-1 font-mono text-sm">
        {codes.map((code) => (
          <li key={code} className="break-all">
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
