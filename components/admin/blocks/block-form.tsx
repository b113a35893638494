'use client';

import { useTranslations } from 'next-intl';
import type { FormEvent } from 'react';
import { ApiProblem } from '@/components/api/api-problem';
import { clockStore } from '@/components/clock/clock-store';
import { useMay } from '@/components/session/use-may';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import { BLOCK_KINDS, type BlockKind } from '@/lib/contract/words/block';
import { MAX_REASON_LENGTH } from '@/lib/contract/words/reason';
import { ChoiceField } from '../kit/choice-field';
import { useAction } from '../kit/use-action';
import { useFields } from '../kit/use-fields';
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

const USUAL: { kind: BlockKind; value: string; reason: string; term: Term } = {
  kind: 'user',
  value: '',
  reason: '',
  term: 'day',
};

/** Blocks one account, network or device. */
export function BlockForm({ onChange }: { onChange: () => void }) {
  const t = useTranslations('Admin.blocks');
  const rowProblem = useRowProblem();
  const mayChange = useMay('operator');
  const { values, set, text, choice } = useFields(USUAL);
  const { kind, term } = values;
  const [value, reason] = [values.value.trim(), values.reason.trim()];
  const block = useAction('POST /api/admin/blocks', {
    onDone: () => {
      set('value', '');
      set('reason', '');
    },
    // There is no undo: this may have lengthened a block that already existed.
    says: ({ email, value: blocked }) => ({ text: t('blocked', { value: email ?? blocked }) }),
    refresh: onChange,
  });
  const fields = block.error instanceof ApiProblem ? block.error.fields : [];
  const wrongValue = fields.find(({ path }) => path === 'value');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const termMs = TERMS[term];
    const expiresAt = termMs === null ? null : Math.round(clockStore().now()) + termMs;
    block.mutate({ body: { kind, value, reason, expiresAt } });
  };
  if (!mayChange) return null;
  return (
    <Card className="p-5">
      <form method="post" onSubmit={onSubmit} className="grid gap-4">
        <h2 className="font-semibold text-lg">{t('add')}</h2>
        <div className="grid gap-4 sm:grid-cols-2">
          <ChoiceField
            label={t('kind')}
            {...choice('kind')}
            choices={BLOCK_KINDS}
            nameOf={(each) => t(`kinds.${each}`)}
          />
          <TextField
            label={t('value')}
            hint={t(`valueHint.${kind}`)}
            {...text('value')}
            maxLength={254}
            autoComplete="off"
            spellCheck={false}
            error={wrongValue ? rowProblem(wrongValue.message) : null}
          />
          <TextField label={t('reason')} {...text('reason')} maxLength={MAX_REASON_LENGTH} />
          <ChoiceField
            label={t('until')}
            {...choice('term')}
            choices={NAMES}
            nameOf={(name) => t(`terms.${name}`)}
          />
        </div>
        <Problem error={wrongValue ? null : block.error} />
        <Button
          type="submit"
          tone="danger"
          className="justify-self-start"
          isBusy={block.isPending}
          disabled={value === '' || reason === ''}
        >
          {t('block')}
        </Button>
      </form>
    </Card>
  );
}
