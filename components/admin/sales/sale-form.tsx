'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useRef } from 'react';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Problem } from '@/components/ui/problem';
import type { EditableSale } from '@/lib/contract/shapes/sale';
import { STEPS, wrongFieldOf } from './form-steps';
import { StepCheck } from './step-check';
import { StepList } from './step-list';
import { StepPrice } from './step-price';
import type { FieldOf } from './step-props';
import { StepWhat } from './step-what';
import { StepWhen } from './step-when';
import { StepWho } from './step-who';
import { useSaleForm } from './use-sale-form';
import { useSaveSale } from './use-save-sale';

interface SaleFormProps {
  /** Null: the form makes a new sale. */
  draft: EditableSale | null;
  onSaved: (saleId: string) => void;
}

/** Edits a sale in steps, from its product to a preview for shoppers. The user can save it from any step. */
export function SaleForm({ draft, onSaved }: SaleFormProps) {
  const t = useTranslations('Admin.form');
  const words = useTranslations('AdminSales');
  const element = useRef<HTMLFormElement>(null);
  const form = useSaleForm(draft);
  const save = useSaveSale(form, draft, onSaved);
  const { values, problems, limitProblems, step, focus } = form;
  const { data } = useQuery({
    queryKey: ['GET /api/admin/products'],
    queryFn: ({ signal }) => request('GET /api/admin/products', { signal }),
  });
  const products = data?.products ?? [];
  const campaigns = useQuery({
    queryKey: ['GET /api/admin/campaigns', 'all'],
    queryFn: ({ signal }) => request('GET /api/admin/campaigns', { query: { limit: 100 }, signal }),
  });

  useEffect(() => {
    if (focus) element.current?.querySelector<HTMLElement>(`[name="${focus.field}"]`)?.focus();
  }, [focus]);

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (form.check()) save.mutate();
  };
  const field: FieldOf = (name) => {
    const [problem, value] = [problems[name], values[name]];
    const isFlag = typeof value === 'boolean';
    return {
      name,
      value: isFlag ? (value ? 'yes' : 'no') : value,
      error: problem ? t(problem.key, { min: 0, max: 0, ...problem }) : null,
      onChange: ({ target }) => form.setValue(name, isFlag ? target.value === 'yes' : target.value),
    };
  };
  const wrong = new Set(STEPS.filter((name) => wrongFieldOf(name, problems, limitProblems) !== null));
  const isBusy = save.isPending || save.isSuccess;
  const isLast = step === STEPS.at(-1);

  return (
    <Card className="p-5 sm:p-6">
      <form method="post" ref={element} noValidate onSubmit={onSubmit} className="grid gap-5">
        <h2 className="font-semibold text-xl">{draft ? words('editHeading') : t('heading')}</h2>
        <StepList step={step} wrong={wrong} onStep={form.setStep} />
        <Problem error={save.error} />
        <div className="grid gap-5">
          {step === 'what' ? (
            <StepWhat
              field={field}
              values={values}
              products={products}
              campaigns={campaigns.data?.campaigns ?? []}
            />
          ) : null}
          {step === 'price' ? <StepPrice field={field} values={values} /> : null}
          {step === 'when' ? <StepWhen field={field} values={values} /> : null}
          {step === 'who' ? (
            <StepWho
              field={field}
              values={values}
              limitProblems={limitProblems}
              limits={form.limits}
              onLimits={form.setLimits}
            />
          ) : null}
          {isLast ? <StepCheck values={values} products={products} /> : null}
        </div>
        <div className="flex flex-wrap gap-3">
          {step === STEPS[0] ? null : <Button onClick={form.back}>{words('back')}</Button>}
          {isLast ? null : <Button onClick={form.next}>{words('next')}</Button>}
          <Button type="submit" tone="primary" isBusy={isBusy} className="ml-auto">
            {draft ? words(isBusy ? 'saving' : 'save') : t(isBusy ? 'creating' : 'create')}
          </Button>
        </div>
      </form>
    </Card>
  );
}
