'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { SelectField, TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { useProblemText } from '@/components/ui/use-problem-text';
import { BLOCK_KINDS, type BlockFilter, getBlocks } from './block-api';
import { BlockRow } from './block-row';

const CELL = 'px-4 py-3 text-left align-middle';
const COLUMNS = ['value', 'reason', 'by', 'since', 'ends'] as const;

interface BlockTableProps {
  filter: BlockFilter;
  onFilter: (change: Partial<BlockFilter>) => void;
  onChange: () => void;
}

/** The blocklist, page by page, with its filters. */
export function BlockTable({ filter, onFilter, onChange }: BlockTableProps) {
  const t = useTranslations('Admin.blocks');
  const common = useTranslations('Common');
  const problemText = useProblemText();
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['admin-blocks', filter],
    queryFn: ({ pageParam, signal }) => getBlocks(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: (previous) => previous,
  });
  const blocks = data?.pages.flatMap((page) => page.blocks) ?? [];
  const refused = data?.pages[0]?.refusedDevices;
  return (
    <section aria-label={t('list')} className="grid gap-4">
      <h2 className="font-semibold text-xl">{t('list')}</h2>
      <div className="grid gap-4 sm:grid-cols-3">
        <SelectField
          label={t('show')}
          value={filter.state}
          onChange={({ target }) => onFilter({ state: target.value === 'all' ? 'all' : 'live' })}
        >
          <option value="live">{t('states.live')}</option>
          <option value="all">{t('states.all')}</option>
        </SelectField>
        <SelectField
          label={t('kind')}
          value={filter.kind}
          onChange={({ target }) => onFilter({ kind: target.value as BlockFilter['kind'] })}
        >
          <option value="">{t('every')}</option>
          {BLOCK_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {t(`kinds.${kind}`)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t('search')}
          hint={t('searchHint')}
          type="search"
          maxLength={254}
          value={filter.value}
          onChange={({ target }) => onFilter({ value: target.value })}
        />
      </div>
      {error ? (
        <Notice tone="danger" role="alert">
          {problemText(error)}
        </Notice>
      ) : null}
      {isPending && !error ? <p className="text-muted">{common('loading')}</p> : null}
      {data && blocks.length === 0 ? <p className="text-muted">{t('empty')}</p> : null}
      {blocks.length > 0 ? (
        <Card className="relative overflow-x-auto">
          <table className="w-full min-w-3xl border-collapse text-base">
            <thead className="border-line border-b text-muted text-sm">
              <tr>
                {COLUMNS.map((name) => (
                  <th key={name} scope="col" className={CELL}>
                    {t(name)}
                  </th>
                ))}
                <th scope="col" className={CELL}>
                  <span className="sr-only">{t('lift')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {blocks.map((block) => (
                <BlockRow key={block.id} block={block} onChange={onChange} />
              ))}
            </tbody>
          </table>
        </Card>
      ) : null}
      {hasNextPage ? (
        <Button
          className="justify-self-center"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {isFetchingNextPage ? common('loading') : common('loadMore')}
        </Button>
      ) : null}
      {refused ? <p className="text-muted text-sm tabular-nums">{t('devices', refused)}</p> : null}
    </section>
  );
}
