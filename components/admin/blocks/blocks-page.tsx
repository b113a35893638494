'use client';

import { useTranslations } from 'next-intl';
import { useRefreshLists } from '@/components/api/use-list';
import { PageHeading } from '@/components/ui/headings';
import { AdminGate } from '../kit/admin-gate';
import { BlockFiles } from './block-files';
import { BlockForm } from './block-form';
import { BlockTable } from './block-table';
import { useBlockFilter } from './use-block-filter';

export function BlocksPage() {
  const t = useTranslations('Admin.blocks');
  return (
    <AdminGate permission="seeShop" refusal={t('forbidden')}>
      <Blocks />
    </AdminGate>
  );
}

/** Who may not take part: block, look up, lift, take over from a file. */
function Blocks() {
  const t = useTranslations('Admin.blocks');
  const refreshLists = useRefreshLists();
  const [filter, setFilter] = useBlockFilter();
  const refresh = () => refreshLists('GET /api/admin/blocks');
  return (
    <div className="grid gap-8">
      <PageHeading heading={t('heading')} intro={t('intro')} />
      <BlockForm onChange={refresh} />
      <BlockTable filter={filter} onFilter={setFilter} onChange={refresh} />
      <BlockFiles filter={filter} onChange={refresh} />
    </div>
  );
}
