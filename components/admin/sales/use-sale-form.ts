'use client';

import { useState } from 'react';
import type { EditableSale } from '@/lib/contract/shapes/sale';
import { spareSlug, toSlug } from '../kit/to-slug';
import { toCopyForm, toSaleForm } from './draft-values';
import { type FormStep, STEPS, wrongFieldOf, wrongStep } from './form-steps';
import { checkLimits, type LimitProblems, type LimitValues, toLimitValues } from './limit-values';
import { PICTURES, picturePath } from './pictures';
import { checkSaleForm, type FormProblems, initialSaleForm, type SaleFormValues } from './sale-form-values';

/** A field to focus. Each request is a new object, so that the same field can be focused again. */
type Focus = { field: string };

/**
 * Holds the values that the user typed, the open step, and what is wrong where.
 * @param draft null: a new sale
 * @param copied the sale that a new one copies
 */
export function useSaleForm(draft: EditableSale | null, copied: EditableSale | null) {
  const [initial] = useState(() => ({
    values: draft
      ? toSaleForm(draft)
      : copied
        ? toCopyForm(copied, Date.now())
        : initialSaleForm(Date.now(), 'USD', picturePath(PICTURES[0])),
    limits: toLimitValues((draft ?? copied)?.limits ?? null),
  }));
  const [spare] = useState(spareSlug);
  const [values, setValues] = useState(initial.values);
  const [limits, setLimits] = useState<LimitValues>(initial.limits);
  const [problems, setProblems] = useState<FormProblems>({});
  const [limitProblems, setLimitProblems] = useState<LimitProblems>({});
  const [step, setStep] = useState<FormStep>('what');
  const [focus, setFocus] = useState<Focus | null>(null);

  const show = (wrong: FormStep, found: FormProblems, foundLimits: LimitProblems) => {
    setStep(wrong);
    const field = wrongFieldOf(wrong, found, foundLimits);
    if (field) setFocus({ field });
  };
  return {
    initial,
    values,
    limits,
    problems,
    limitProblems,
    step,
    focus,
    setStep,
    setLimits,
    setValue: (name: keyof SaleFormValues, value: SaleFormValues[keyof SaleFormValues]) =>
      setValues((old) => {
        const next = { ...old, [name]: value };
        // Another product has other pictures.
        if (name === 'productId') next.variants = old.variants.map((each) => ({ ...each, picture: '' }));
        const hasOwnSlug = old.productSlug !== toSlug(old.productName, spare);
        if (name === 'productName' && !hasOwnSlug) next.productSlug = toSlug(next.productName, spare);
        return next;
      }),
    /** Checks all fields, and opens the first step with a wrong one. @returns whether all are right. */
    check: (): boolean => {
      const [found, foundLimits] = [checkSaleForm(values), checkLimits(limits)];
      setProblems(found);
      setLimitProblems(foundLimits);
      const wrong = wrongStep(found, foundLimits);
      if (wrong) show(wrong, found, foundLimits);
      return wrong === null;
    },
    /** Opens the next step if nothing is wrong with this one. */
    next: () => {
      const [found, foundLimits] = [checkSaleForm(values), checkLimits(limits)];
      const isWrong = wrongFieldOf(step, found, foundLimits) !== null;
      setProblems(isWrong ? found : {});
      setLimitProblems(isWrong ? foundLimits : {});
      if (isWrong) show(step, found, foundLimits);
      else setStep(STEPS[STEPS.indexOf(step) + 1] ?? step);
    },
    back: () => setStep(STEPS[STEPS.indexOf(step) - 1] ?? step),
    /** Shows what the server found wrong. */
    refuse: (found: FormProblems) => {
      setProblems(found);
      const wrong = wrongStep(found, {});
      if (wrong) show(wrong, found, {});
    },
  };
}

export type SaleFormState = ReturnType<typeof useSaleForm>;
