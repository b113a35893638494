'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import type { LevelRule } from '@/lib/contract/shapes/level';
import { useActionOf } from '../kit/use-action';
import { wholeNumber } from './whole-number';

/** Shows which level so many points earn, and changes it. */
export function LevelRules() {
  const { data, error, refetch } = useQuery({
    queryKey: ['level-rules'],
    queryFn: ({ signal }) => request('GET /api/admin/levels', { signal }),
  });
  const t = useTranslations('AdminUsers.levels');
  return (
    <Card className="grid gap-4 p-5">
      <div className="grid gap-1">
        <h2 className="font-semibold text-lg">{t('heading')}</h2>
        <p className="text-muted">{t('text')}</p>
      </div>
      <Problem error={error} />
      {data ? (
        <RulesForm key={JSON.stringify(data.rules)} before={data.rules} onChange={() => void refetch()} />
      ) : null}
    </Card>
  );
}

interface RulesFormProps {
  before: LevelRule[];
  onChange: () => void;
}

type Row = Record<keyof LevelRule, string>;

function RulesForm({ before, onChange }: RulesFormProps) {
  const t = useTranslations('AdminUsers.levels');
  const done = useTranslations('AdminDone.levels');
  const [rows, setRows] = useState<Row[]>(() => before.map(toRow));
  const set = (before: LevelRule[], rules: LevelRule[]) =>
    request('PUT /api/admin/levels', { body: { rules, before } });
  const save = useActionOf((rules: LevelRule[]) => set(before, rules), {
    says: (_, rules) => ({
      text: done('changed'),
      undo: { request: () => set(rules, before), text: done('undone') },
    }),
    refresh: onChange,
  });
  const change = (at: number, name: keyof LevelRule, value: string) =>
    setRows(rows.map((row, n) => (n === at ? { ...row, [name]: value } : row)));
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(rows.map(toRule).sort((a, b) => a.level - b.level));
  };
  const isNew = JSON.stringify(rows) !== JSON.stringify(before.map(toRow));
  const isWhole = rows.map(toRule).every((rule) => rule.level > 0 && rule.minPoints > 0);
  return (
    <form method="post" noValidate onSubmit={onSubmit} className="grid gap-4">
      {rows.length === 0 ? <p>{t('none')}</p> : null}
      <ul className="grid gap-3">
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place.
          <li key={at} className="flex flex-wrap items-end gap-3">
            <TextField
              label={t('level')}
              inputMode="numeric"
              value={row.level}
              onChange={({ target }) => change(at, 'level', target.value)}
            />
            <TextField
              label={t('minPoints')}
              inputMode="numeric"
              value={row.minPoints}
              onChange={({ target }) => change(at, 'minPoints', target.value)}
            />
            <Button
              aria-label={t('removeWhich', { level: row.level })}
              onClick={() => setRows(rows.filter((_, n) => n !== at))}
            >
              {t('remove')}
            </Button>
          </li>
        ))}
      </ul>
      <Problem error={save.error} />
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => setRows([...rows, nextRow(rows.map(toRule).at(-1))])}>{t('add')}</Button>
        <Button type="submit" tone="primary" isBusy={save.isPending} disabled={!isNew || !isWhole}>
          {t('save')}
        </Button>
      </div>
    </form>
  );
}

const toRow = ({ level, minPoints }: LevelRule): Row => ({
  level: String(level),
  minPoints: String(minPoints),
});
const toRule = (row: Row): LevelRule => ({
  level: wholeNumber(row.level),
  minPoints: wholeNumber(row.minPoints),
});

const FIRST_POINTS = 100;
const nextRow = (last?: LevelRule): Row =>
  toRow(
    last ? { level: last.level + 1, minPoints: last.minPoints * 2 } : { level: 1, minPoints: FIRST_POINTS },
  );
