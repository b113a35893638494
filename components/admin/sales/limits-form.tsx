'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { request } from '@/components/api/request';
import { Card } from '@/components/ui/card';
import { Problem } from '@/components/ui/problem';
import type { SaleLimits } from '@/lib/contract/shapes/limit';
import { ActionButton } from '../kit/action-button';
import { useActionOf } from '../kit/use-action';
import { useMayInShop } from '../kit/use-shops';
import { useTouched } from '../kit/use-touched';
import { LimitFields } from './limit-fields';
import { checkLimits, type LimitProblems, toLimits, toLimitValues } from './limit-values';

/** Changes a sale's rate limits, even while the sale runs. */
export function LimitsForm({ saleId, limits }: { saleId: string; limits: SaleLimits | null }) {
  const t = useTranslations('Admin');
  const done = useTranslations('AdminDone');
  const mayChange = useMayInShop('settings');
  const { values, isOvertaken, touch, settle } = useTouched(toLimitValues(limits));
  const [problems, setProblems] = useState<LimitProblems>({});
  const patchLimits = (body: SaleLimits | null) =>
    request('PATCH /api/admin/sales/{saleId}/limits', { params: { saleId }, body });
  // The request keeps the former limits for the undo: the page shows the new ones as soon as they are in force.
  const change = useActionOf(({ next }: Record<'next' | 'former', SaleLimits | null>) => patchLimits(next), {
    onDone: settle,
    says: (_, { former }) => ({
      text: done('limits'),
      undo: {
        request: () => patchLimits(former).then(() => touch(toLimitValues(former))),
        text: done('limitsBack'),
      },
    }),
  });
  if (!mayChange) return null;
  const apply = () => {
    const found = checkLimits(values);
    setProblems(found);
    if (Object.keys(found).length === 0) change.mutate({ next: toLimits(values), former: limits });
  };
  return (
    <Card className="grid content-start gap-4 p-5">
      <h2 className="font-semibold text-lg">{t('limits.heading')}</h2>
      <p className="text-muted">{t('limits.help')}</p>
      <LimitFields
        values={values}
        problems={problems}
        onChange={(next) => {
          change.reset();
          touch(next);
        }}
      />
      <ActionButton className="justify-self-start" action={change} onPress={apply}>
        {t('limits.apply')}
      </ActionButton>
      <Problem error={change.error ?? (isOvertaken ? 'VERSION_CONFLICT' : null)} />
    </Card>
  );
}
