'use client';

import { useRefreshLists } from '@/components/api/use-list';
import { adminPage, PageFrame } from '../kit/admin-page';
import { BlockFiles } from './block-files';
import { BlockForm } from './block-form';
import { BlockTable } from './block-table';
import { useBlockFilter } from './use-block-filter';

/** Shows who may not take part. Staff can block, look up, lift and import blocks from a file. */
function Blocks() {
  const refreshLists = useRefreshLists();
  const [filter, setFilter] = useBlockFilter();
  const refresh = () => refreshLists('GET /api/admin/blocks');
  return (
    <PageFrame words="Admin.blocks">
      <BlockForm onChange={refresh} />
      <BlockTable filter={filter} onFilter={setFilter} onChange={refresh} />
      <BlockFiles filter={filter} onChange={refresh} />
    </PageFrame>
  );
}

export const BlocksPage = adminPage(Blocks, 'seeShop', 'Admin.blocks');
