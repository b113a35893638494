'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Problem } from '@/components/ui/problem';
import type { EditableSale } from '@/lib/contract/shapes/sale';
import { STEPS, wrongFieldOf } from './form-steps';
import { OpenStep } from './open-step';
import { StepList } from './step-list';
import { useSaleForm } from './use-sale-form';
import { useSaveSale } from './use-save-sale';

interface SaleFormProps {
  /** Null: the form makes a new sale. */
  draft: EditableSale | null;
  /** The sale that a new one copies. */
  copied?: EditableSale | null;
  onSaved: (saleId: string) => void;
}

/** Edits a sale in steps, from its product to a preview for shoppers. The user can save it from any step. */
export function SaleForm({ draft, copied = null, onSaved }: SaleFormProps) {
  const t = useTranslations('Admin.form');
  const words = useTranslations('AdminSales');
  const element = useRef<HTMLFormElement>(null);
  const form = useSaleForm(draft, copied);
  const save = useSaveSale(form, draft, onSaved);
  const { problems, limitProblems, step, focus } = form;
  useEffect(() => {
    if (focus) element.current?.querySelector<HTMLElement>(`[name="${focus.field}"]`)?.focus();
  }, [focus]);

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (form.check()) save.mutate();
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
          <OpenStep form={form} />
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
