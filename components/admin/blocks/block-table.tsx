'use client';

import { useTranslations } from 'next-intl';
import { useList } from '@/components/api/use-list';
import { TextField } from '@/components/ui/field';
import { BLOCK_KINDS } from '@/lib/contract/words/block';
import { ChoiceField } from '../kit/choice-field';
import { DataTable } from '../kit/data-table';
import { Paged } from '../kit/paged';
import { BlockRow } from './block-row';
import type { BlockFilter } from './use-block-filter';

const COLUMNS = ['value', 'reason', 'by', 'since', 'ends'] as const;

interface BlockTableProps {
  filter: BlockFilter;
  onFilter: (change: Partial<BlockFilter>) => void;
  onChange: () => void;
}

/** Lists the blocks page by page, with filters. */
export function BlockTable({ filter, onFilter, onChange }: BlockTableProps) {
  const t = useTranslations('Admin.blocks');
  const { query, items: blocks } = useList('GET /api/admin/blocks', { query: filter });
  const refused = query.data?.pages[0]?.refusedDevices;
  return (
    <section aria-label={t('list')} className="grid gap-4">
      <h2 className="font-semibold text-xl">{t('list')}</h2>
      <div className="grid gap-4 sm:grid-cols-3">
        <ChoiceField
          label={t('show')}
          value={filter.state}
          choices={['live', 'all']}
          nameOf={(state) => t(`states.${state}`)}
          onChoose={(state) => onFilter({ state })}
        />
        <ChoiceField
          label={t('kind')}
          value={filter.kind}
          choices={['', ...BLOCK_KINDS]}
          nameOf={(kind) => (kind ? t(`kinds.${kind}`) : t('every'))}
          onChoose={(kind) => onFilter({ kind })}
        />
        <TextField
          label={t('search')}
          hint={t('searchHint')}
          type="search"
          maxLength={254}
          value={filter.value}
          onChange={({ target }) => onFilter({ value: target.value })}
        />
      </div>
      <Paged query={query} isEmpty={blocks.length === 0} empty={t('empty')}>
        <DataTable
          isStacked="pairs"
          columns={[...COLUMNS.map((name) => ({ label: t(name) })), { label: t('lift'), isHidden: true }]}
        >
          {blocks.map((block) => (
            <BlockRow key={block.id} block={block} onChange={onChange} />
          ))}
        </DataTable>
      </Paged>
      {refused ? <p className="text-muted text-sm tabular-nums">{t('devices', refused)}</p> : null}
    </section>
  );
}
