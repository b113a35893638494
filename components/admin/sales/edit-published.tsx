'use client';

import { useTranslations } from 'next-intl';
import { Card } from '@/components/ui/card';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { ActionButton } from '../kit/action-button';
import { useAction } from '../kit/use-action';
import { useFields } from '../kit/use-fields';
import { toLocalInput } from './sale-form-values';

interface EditPublishedProps {
  sale: SaleInfo;
  onChange: () => void;
}

/** Edits what can still change in a published sale: its title, and its end, to a later moment. */
export function EditPublished({ sale, onChange }: EditPublishedProps) {
  const t = useTranslations('AdminSales');
  const admin = useTranslations('Admin');
  const localDate = useLocalDate();
  const { values, text } = useFields(() => ({ title: sale.title, end: toLocalInput(sale.endsAt) }));
  const { title, end } = values;
  const edit = useAction('PATCH /api/admin/sales/{saleId}', { refresh: onChange });
  const endsAt = Date.parse(end);
  const isMoved = end !== toLocalInput(sale.endsAt);
  const isLater = endsAt > sale.endsAt;
  const isRenamed = title.trim() !== sale.title;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const change = {
    ...(isRenamed ? { title: title.trim() } : {}),
    ...(isMoved ? { endsAt } : {}),
    version: sale.version,
  };
  return (
    <Card className="grid content-start gap-4 p-5">
      <h2 className="font-semibold text-lg">{t('published.heading')}</h2>
      <p className="text-muted">{t('published.help')}</p>
      <TextField label={t('published.title')} {...text('title')} maxLength={200} />
      <TextField
        label={t('published.end')}
        type="datetime-local"
        hint={t('timeline.zone', { zone })}
        {...text('end')}
        error={isMoved && !isLater ? t('published.onlyLater', { date: localDate(sale.endsAt) }) : null}
      />
      <ActionButton
        action={edit}
        className="justify-self-start"
        disabled={(!isRenamed && !isMoved) || (isMoved && !isLater) || title.trim() === ''}
        ask={{
          title: t('published.ask'),
          text:
            isMoved && isLater
              ? t('published.extends', { from: localDate(sale.endsAt), to: localDate(endsAt) })
              : t('published.renames'),
        }}
        onPress={() => edit.mutate({ params: { saleId: sale.saleId }, body: change })}
      >
        {t('save')}
      </ActionButton>
      <Problem error={edit.error} />
      {edit.isSuccess ? (
        <p role="status" className="text-success">
          {admin('done')}
        </p>
      ) : null}
    </Card>
  );
}
