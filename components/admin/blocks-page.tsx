'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { BlockFiles } from './block-files';
import { BlockForm } from './block-form';
import { BlockTable } from './block-table';
import { DeskGate } from './desk-gate';
import { useBlockFilter } from './use-block-filter';

export function BlocksPage() {
  const t = useTranslations('Admin.blocks');
  return (
    <DeskGate permission="seeShop" refusal={t('forbidden')}>
      <Blocks />
    </DeskGate>
  );
}

/** Who may not take part: block, look up, lift, take over from a file. */
function Blocks() {
  const t = useTranslations('Admin.blocks');
  const client = useQueryClient();
  const [filter, setFilter] = useBlockFilter();
  const refresh = () => void client.invalidateQueries({ queryKey: ['admin-blocks'] });
  return (
    <div className="grid gap-8">
      <div className="grid gap-1">
        <h1 className="font-bold text-3xl tracking-tight">{t('heading')}</h1>
        <p className="text-muted">{t('intro')}</p>
      </div>
      <BlockForm onChange={refresh} />
      <BlockTable filter={filter} onFilter={setFilter} onChange={refresh} />
      <BlockFiles filter={filter} onChange={refresh} />
    </div>
  );
}
