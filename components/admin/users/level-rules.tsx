'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useState } from 'react';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import type { LevelRulesView } from '@/lib/contract/shapes/level';
import { MAX_LEVEL_RULES } from '@/lib/contract/words/level';
import { ChoiceField } from '../kit/choice-field';
import { useActionOf } from '../kit/use-action';
import { useActiveProducts } from '../sales/use-offered-products';
import {
  type MembershipRow,
  nextMembership,
  nextPoints,
  type PointsRow,
  toRows,
  toRules,
  wrongRules,
} from './level-rows';

/** Shows by which rules shoppers earn levels, and changes them. */
export function LevelRules() {
  const t = useTranslations('AdminUsers.levels');
  const { data, error, refetch } = useQuery({
    queryKey: ['level-rules'],
    queryFn: ({ signal }) => request('GET /api/admin/levels', { signal }),
  });
  return (
    <Card className="grid gap-4 p-5">
      <div className="grid gap-1">
        <h2 className="font-semibold text-lg">{t('heading')}</h2>
        <p className="text-muted">{t('text')}</p>
      </div>
      <Problem error={error} />
      {data ? <RulesForm key={JSON.stringify(data)} view={data} onChange={() => void refetch()} /> : null}
    </Card>
  );
}

function RulesForm({ view, onChange }: { view: LevelRulesView; onChange: () => void }) {
  const t = useTranslations('AdminUsers.levels');
  const done = useTranslations('AdminDone.levels');
  const { products, ...before } = view;
  const [rows, setRows] = useState(() => toRows(before));
  const set = (from: typeof before, to: typeof before) =>
    request('PATCH /api/admin/levels', { body: { ...to, before: from } });
  const save = useActionOf((rules: typeof before) => set(before, rules), {
    says: (_, rules) => ({
      text: done('changed'),
      undo: { request: () => set(rules, before), text: done('undone') },
    }),
    refresh: onChange,
  });
  const isNew = JSON.stringify(rows) !== JSON.stringify(toRows(before));
  const wrong = isNew ? wrongRules(rows) : null;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(toRules(rows));
  };
  return (
    <form method="post" noValidate onSubmit={onSubmit} className="grid gap-6">
      <PointsRows rows={rows.byPoints} onChange={(byPoints) => setRows({ ...rows, byPoints })} />
      <MembershipRows
        rows={rows.byMembership}
        names={products}
        onChange={(byMembership) => setRows({ ...rows, byMembership })}
      />
      {wrong ? <p className="text-danger">{t(`wrong.${wrong}`)}</p> : null}
      <Problem error={save.error} />
      <Button
        type="submit"
        tone="primary"
        className="justify-self-start"
        isBusy={save.isPending}
        disabled={!isNew || wrong !== null}
      >
        {t('save')}
      </Button>
    </form>
  );
}

interface RowsProps<Row> {
  rows: Row[];
  onChange: (rows: Row[]) => void;
}

function PointsRows({ rows, onChange }: RowsProps<PointsRow>) {
  const t = useTranslations('AdminUsers.levels');
  return (
    <Rows
      legend={t('byPoints')}
      add={t('addPoints')}
      rows={rows}
      next={() => nextPoints(rows.at(-1))}
      removeLabel={({ level }) => t('removeLevel', { level })}
      onChange={onChange}
      fields={(row, change) => (
        <>
          <NumberField
            label={t('minPoints')}
            value={row.minPoints}
            onType={(minPoints) => change({ minPoints })}
          />
          <NumberField label={t('level')} value={row.level} onType={(level) => change({ level })} />
        </>
      )}
    />
  );
}

function MembershipRows({
  rows,
  names,
  onChange,
}: RowsProps<MembershipRow> & { names: Record<string, string> }) {
  const t = useTranslations('AdminUsers.levels');
  const listed = useActiveProducts()?.map(({ productId, name }) => [productId, name] as const) ?? [];
  const known = new Map([...Object.entries(names), ...listed]);
  return (
    <Rows
      legend={t('byMembership')}
      add={t('addMembership')}
      rows={rows}
      next={nextMembership}
      removeLabel={({ productId }) => t('removeMembership', { name: known.get(productId) ?? '' })}
      onChange={onChange}
      fields={(row, change) => (
        <>
          <ChoiceField
            label={t('product')}
            value={row.productId}
            choices={['', ...known.keys()]}
            nameOf={(productId) => known.get(productId) ?? t('choose')}
            onChoose={(productId) => change({ productId })}
          />
          <NumberField label={t('level')} value={row.level} onType={(level) => change({ level })} />
          <NumberField label={t('days')} value={row.days} onType={(days) => change({ days })} />
        </>
      )}
    />
  );
}

interface RuleListProps<Row> extends RowsProps<Row> {
  legend: string;
  add: string;
  next: () => Row;
  removeLabel: (row: Row) => string;
  fields: (row: Row, change: (part: Partial<Row>) => void) => ReactNode;
}

/** A list of rules of one kind, each a row of fields. */
function Rows<Row>({ legend, add, rows, next, removeLabel, onChange, fields }: RuleListProps<Row>) {
  const t = useTranslations('AdminUsers.levels');
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-medium">{legend}</legend>
      {rows.length === 0 ? <p className="text-muted">{t('none')}</p> : null}
      <ul className="grid gap-4">
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place.
          <li key={at} className="flex flex-wrap items-end gap-3">
            {fields(row, (part) => onChange(rows.map((one, n) => (n === at ? { ...one, ...part } : one))))}
            <Button aria-label={removeLabel(row)} onClick={() => onChange(rows.filter((_, n) => n !== at))}>
              {t('remove')}
            </Button>
          </li>
        ))}
      </ul>
      <Button
        className="justify-self-start"
        disabled={rows.length >= MAX_LEVEL_RULES}
        onClick={() => onChange([...rows, next()])}
      >
        {add}
      </Button>
    </fieldset>
  );
}

interface NumberFieldProps {
  label: string;
  value: string;
  onType: (value: string) => void;
}

const NumberField = ({ onType, ...rest }: NumberFieldProps) => (
  <TextField inputMode="numeric" {...rest} onChange={({ target }) => onType(target.value)} />
);
