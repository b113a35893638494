'use client';

import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useMay } from '@/components/session/use-may';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { SelectField, TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { useProblemText } from '@/components/ui/use-problem-text';
import { RISK_SUBJECTS, type RiskRule } from '@/lib/risk/types';
import { HitRow } from './hit-row';
import { getHits, type HitFilter } from './risk-api';
import { useHitFilter } from './use-hit-filter';

const CELL = 'px-4 py-3 text-left align-middle';
const COLUMNS = ['who', 'why', 'done', 'when'] as const;

/** Whom rules have hit, page by page, newest first. */
export function HitTable({ rules }: { rules: readonly RiskRule[] }) {
  const t = useTranslations('DeskRisk');
  const common = useTranslations('Common');
  const problemText = useProblemText();
  const client = useQueryClient();
  const mayRelease = useMay('operator');
  const [filter, setFilter] = useHitFilter();
  const [released, setReleased] = useState<string | null>(null);
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['risk-hits', filter],
    queryFn: ({ pageParam, signal }) => getHits(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: (previous) => previous,
  });
  const hits = data?.pages.flatMap((page) => page.hits) ?? [];
  const text = (name: 'value' | 'saleId') => (
    <TextField
      label={t(`filter.${name}`)}
      type="search"
      maxLength={200}
      value={filter[name]}
      onChange={({ target }) => setFilter({ [name]: target.value.trim() })}
    />
  );
  return (
    <section aria-label={t('hits')} className="grid gap-4">
      <h2 className="font-semibold text-xl">{t('hits')}</h2>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-5">
        <SelectField
          label={t('filter.state')}
          value={filter.state}
          onChange={({ target }) => setFilter({ state: target.value as HitFilter['state'] })}
        >
          <option value="all">{t('filter.all')}</option>
          <option value="live">{t('filter.live')}</option>
        </SelectField>
        <SelectField
          label={t('filter.rule')}
          value={filter.ruleId}
          onChange={({ target }) => setFilter({ ruleId: target.value })}
        >
          <option value="">{t('filter.any')}</option>
          {rules.map(({ ruleId, name }) => (
            <option key={ruleId} value={ruleId}>
              {name}
            </option>
          ))}
          {filter.ruleId && !rules.some(({ ruleId }) => ruleId === filter.ruleId) ? (
            <option value={filter.ruleId}>{filter.ruleId}</option>
          ) : null}
        </SelectField>
        <SelectField
          label={t('filter.kind')}
          value={filter.kind}
          onChange={({ target }) => setFilter({ kind: target.value as HitFilter['kind'] })}
        >
          <option value="">{t('filter.any')}</option>
          {RISK_SUBJECTS.map((kind) => (
            <option key={kind} value={kind}>
              {t(`subjects.${kind}`)}
            </option>
          ))}
        </SelectField>
        {text('value')}
        {text('saleId')}
      </div>
      <p role="status" className="text-success empty:hidden">
        {released}
      </p>
      {error ? (
        <Notice tone="danger" role="alert">
          {problemText(error)}
        </Notice>
      ) : null}
      {isPending && !error ? <p className="text-muted">{common('loading')}</p> : null}
      {data && hits.length === 0 ? <p className="text-muted">{t('noHits')}</p> : null}
      {hits.length > 0 ? (
        <Card className="relative overflow-x-auto">
          <table className="w-full min-w-3xl border-collapse text-base">
            <thead className="border-line border-b text-muted text-sm">
              <tr>
                {COLUMNS.map((name) => (
                  <th key={name} scope="col" className={CELL}>
                    {t(`columns.${name}`)}
                  </th>
                ))}
                <th scope="col" className={CELL}>
                  <span className="sr-only">{t('release')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {hits.map((hit) => (
                <HitRow
                  key={hit.hitId}
                  hit={hit}
                  rule={rules.find(({ ruleId }) => ruleId === hit.ruleId)}
                  mayRelease={mayRelease}
                  onRelease={(words) => {
                    setReleased(words);
                    void client.invalidateQueries({ queryKey: ['risk-hits'] });
                  }}
                />
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
    </section>
  );
}
