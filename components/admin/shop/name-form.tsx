'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import type { ShopView } from '@/lib/contract/shapes/team';
import { useAction } from '../kit/use-action';

interface NameFormProps {
  shop: Pick<ShopView, 'shopId' | 'name' | 'version'>;
  onChange: () => Promise<void>;
}

/** Gives the shop another name. */
export function NameForm({ shop: { shopId, name, version }, onChange }: NameFormProps) {
  const t = useTranslations('AdminShop');
  const [given, setGiven] = useState(name);
  const [seen, setSeen] = useState({ name, version });
  const save = useAction('PATCH /api/admin/shops/{shopId}', {
    says: (shop) => ({ text: t('renamed', { name: shop.name }) }),
    onDone: setSeen,
    refresh: onChange,
  });
  const wanted = given.trim();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    // A name that others have given meanwhile is not overwritten unseen.
    save.mutate({
      params: { shopId },
      body: { name: wanted, version: seen.name === name ? version : seen.version },
    });
  };
  return (
    <form method="post" noValidate onSubmit={onSubmit} className="grid gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label={t('name')}
          value={given}
          maxLength={100}
          autoComplete="off"
          onChange={({ target }) => setGiven(target.value)}
        />
        <Button type="submit" isBusy={save.isPending} disabled={wanted === '' || wanted === name}>
          {t('rename')}
        </Button>
      </div>
      <Problem error={save.error} />
    </form>
  );
}
