'use client';

import { useMutation } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { request } from '@/components/api/request';
import { Button, buttonStyle } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import { gatherOrder } from '@/lib/decision-log/proof/gather-order';

interface GatherListProps {
  saleId: string;
  /** Is told the text of the whole list when it shall be checked. */
  onCheck: (text: string) => void;
}

/** Gathers all pages of the list of a sale's line or draw into one file, which can be kept and checked. */
export function GatherList({ saleId, onCheck }: GatherListProps) {
  const t = useTranslations('Prove.list');
  const number = new Intl.NumberFormat(useLocale());
  const [progress, setProgress] = useState<{ count: number; all: number } | null>(null);
  const gathering = useMutation({
    mutationFn: async () => {
      const read = (from: number) =>
        request('GET /api/sales/{saleId}/line/proof', { params: { saleId }, query: { from } });
      const file = await gatherOrder(read, (count, all) => setProgress({ count, all }));
      return file && JSON.stringify(file);
    },
  });
  const text = gathering.data ?? null;
  const address = useAddressOf(text);
  return (
    <Card className="grid gap-4 p-5 sm:p-6">
      <h2 className="font-semibold text-xl">{t('heading')}</h2>
      {gathering.isPending && progress ? (
        <div className="grid gap-1.5">
          <progress
            aria-label={t('heading')}
            className="h-2 w-full accent-accent"
            max={progress.all}
            value={progress.count}
          />
          <p className="text-muted tabular-nums">
            {t('gathering', { count: number.format(progress.count), all: number.format(progress.all) })}
          </p>
        </div>
      ) : null}
      <div aria-live="polite">
        {gathering.isError ? <Notice tone="danger">{t('failed')}</Notice> : null}
        {gathering.isSuccess && text === null ? <Notice tone="warning">{t('notYet')}</Notice> : null}
      </div>
      <div className="flex flex-wrap gap-3">
        {text !== null && address !== null ? (
          <>
            <Button tone="primary" onClick={() => onCheck(text)}>
              {t('checkNow')}
            </Button>
            <a href={address} download={`list-${saleId}.json`} className={buttonStyle()}>
              {t('save')}
            </a>
          </>
        ) : (
          <Button tone="primary" isBusy={gathering.isPending} onClick={() => gathering.mutate()}>
            {t('gather')}
          </Button>
        )}
      </div>
    </Card>
  );
}

/** Makes an address under which the browser saves a text; it ends with the component. */
function useAddressOf(text: string | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (text === null) return;
    const made = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [text]);
  return address;
}
