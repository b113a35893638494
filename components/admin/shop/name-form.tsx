'use client';

import { useTranslations } from 'next-intl';
import type { FormEvent } from 'react';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import type { ShopView } from '@/lib/contract/shapes/team';
import { useAction } from '../kit/use-action';
import { useTouched } from '../kit/use-touched';

interface NameFormProps {
  shop: Pick<ShopView, 'shopId' | 'name' | 'version'>;
  onSaved: (shop: ShopView) => void;
  onChange: () => Promise<void>;
}

/** Gives the shop another name. */
export function NameForm({ shop: { shopId, name, version }, onSaved, onChange }: NameFormProps) {
  const t = useTranslations('AdminShop');
  const { values, isOvertaken, touch, settle } = useTouched({ name });
  const save = useAction('PATCH /api/admin/shops/{shopId}', {
    says: (shop) => ({ text: t('renamed', { name: shop.name }) }),
    onDone: (shop) => {
      settle();
      onSaved(shop);
    },
    refresh: onChange,
  });
  const wanted = values.name.trim();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ params: { shopId }, body: { name: wanted, version } });
  };
  return (
    <form method="post" noValidate onSubmit={onSubmit} className="grid gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label={t('name')}
          value={values.name}
          maxLength={100}
          autoComplete="off"
          onChange={({ target }) => touch({ name: target.value })}
        />
        <Button type="submit" isBusy={save.isPending} disabled={wanted === '' || wanted === name}>
          {t('rename')}
        </Button>
      </div>
      <Problem error={save.error ?? (isOvertaken ? 'VERSION_CONFLICT' : null)} />
    </form>
  );
}
