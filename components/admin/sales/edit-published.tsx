'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { toLocalInput } from './sale-form-values';

interface EditPublishedProps {
  sale: SaleInfo;
  onChange: () => void;
}

/** What can still be changed of a published sale: its title, and its end to a later moment. */
export function EditPublished({ sale, onChange }: EditPublishedProps) {
  const t = useTranslations('AdminSales');
  const admin = useTranslations('Admin');
  const localDate = useLocalDate();
  const [title, setTitle] = useState(sale.title);
  const [end, setEnd] = useState(() => toLocalInput(sale.endsAt));
  const edit = useMutation({
    mutationFn: (change: { title?: string; endsAt?: number }) =>
      request('PATCH /api/admin/sales/{saleId}', {
        params: { saleId: sale.saleId },
        body: { ...change, version: sale.version },
      }),
    onSettled: onChange,
  });
  const endsAt = Date.parse(end);
  const isMoved = end !== toLocalInput(sale.endsAt);
  const isLater = endsAt > sale.endsAt;
  const isRenamed = title.trim() !== sale.title;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const change = () => ({
    ...(isRenamed ? { title: title.trim() } : {}),
    ...(isMoved ? { endsAt } : {}),
  });
  return (
    <Card className="grid content-start gap-4 p-5">
      <h2 className="font-semibold text-lg">{t('published.heading')}</h2>
      <p className="text-muted">{t('published.help')}</p>
      <TextField
        label={t('published.title')}
        value={title}
        maxLength={200}
        onChange={({ target }) => setTitle(target.value)}
      />
      <TextField
        label={t('published.end')}
        type="datetime-local"
        hint={t('timeline.zone', { zone })}
        value={end}
        error={isMoved && !isLater ? t('published.onlyLater', { date: localDate(sale.endsAt) }) : null}
        onChange={({ target }) => setEnd(target.value)}
      />
      <ConfirmDialog
        trigger={
          <Button
            className="justify-self-start"
            isBusy={edit.isPending}
            disabled={(!isRenamed && !isMoved) || (isMoved && !isLater) || title.trim() === ''}
          >
            {t('save')}
          </Button>
        }
        title={t('published.ask')}
        text={
          isMoved && isLater
            ? t('published.extends', { from: localDate(sale.endsAt), to: localDate(endsAt) })
            : t('published.renames')
        }
        confirmLabel={admin('confirm')}
        keepLabel={admin('keep')}
        onConfirm={() => edit.mutate(change())}
      />
      <Problem error={edit.error} />
      {edit.isSuccess ? (
        <p role="status" className="text-success">
          {admin('done')}
        </p>
      ) : null}
    </Card>
  );
}
