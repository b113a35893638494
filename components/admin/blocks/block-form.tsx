'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { ApiProblem } from '@/components/api/api-problem';
import { clockStore } from '@/components/clock/clock-store';
import { useMay } from '@/components/session/use-may';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import { BLOCK_KINDS, type BlockKind } from '@/lib/contract/words/block';
import { ChoiceField } from '../kit/choice-field';
import { useAction } from '../kit/use-action';
import { useRowProblem } from './use-row-problem';

const DAY_MS = 86_400_000;
const TERMS = {
  hour: DAY_MS / 24,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
  forever: null,
} as const;
type Term = keyof typeof TERMS;
const NAMES = Object.keys(TERMS) as Term[];

/** Blocks one account, network or device. */
export function BlockForm({ onChange }: { onChange: () => void }) {
  const t = useTranslations('Admin.blocks');
  const rowProblem = useRowProblem();
  const mayChange = useMay('operator');
  const [kind, setKind] = useState<BlockKind>('user');
  const [value, setValue] = useState('');
  const [reason, setReason] = useState('');
  const [term, setTerm] = useState<Term>('day');
  const block = useAction('POST /api/admin/blocks', {
    onDone: () => {
      setValue('');
      setReason('');
    },
    // Nothing to undo: it may have lengthened a block that was there before.
    says: ({ email, value: blocked }) => ({ text: t('blocked', { value: email ?? blocked }) }),
    refresh: onChange,
  });
  const fields = block.error instanceof ApiProblem ? block.error.fields : [];
  const wrongValue = fields.find(({ path }) => path === 'value');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const termMs = TERMS[term];
    const expiresAt = termMs === null ? null : Math.round(clockStore().now()) + termMs;
    block.mutate({ body: { kind, value: value.trim(), reason: reason.trim(), expiresAt } });
  };
  if (!mayChange) return null;
  return (
    <Card className="p-5">
      <form method="post" onSubmit={onSubmit} className="grid gap-4">
        <h2 className="font-semibold text-lg">{t('add')}</h2>
        <div className="grid gap-4 sm:grid-cols-2">
          <ChoiceField
            label={t('kind')}
            value={kind}
            choices={BLOCK_KINDS}
            nameOf={(each) => t(`kinds.${each}`)}
            onChoose={(each) => setKind(each)}
          />
          <TextField
            label={t('value')}
            hint={t(`valueHint.${kind}`)}
            value={value}
            maxLength={254}
            autoComplete="off"
            spellCheck={false}
            error={wrongValue ? rowProblem(wrongValue.message) : null}
            onChange={({ target }) => setValue(target.value)}
          />
          <TextField
            label={t('reason')}
            value={reason}
            maxLength={500}
            onChange={({ target }) => setReason(target.value)}
          />
          <ChoiceField
            label={t('until')}
            value={term}
            choices={NAMES}
            nameOf={(name) => t(`terms.${name}`)}
            onChoose={(name) => setTerm(name)}
          />
        </div>
        <Problem error={wrongValue ? null : block.error} />
        <Button
          type="submit"
          tone="danger"
          className="justify-self-start"
          isBusy={block.isPending}
          disabled={value.trim() === '' || reason.trim() === ''}
        >
          {t('block')}
        </Button>
      </form>
    </Card>
  );
}
