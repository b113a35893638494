import type { ChangeEvent } from 'react';
import type { SaleFormValues } from './sale-form-values';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Returns the props that bind a control to one of the form's fields. Its value is `yes` or `no` for what is true or false. */
export type FieldOf = (name: Exclude<keyof SaleFormValues, 'titles' | 'variants'>) => {
  name: string;
  value: string;
  error: string | null;
  onChange: (event: ChangeEvent<Control>) => void;
};

export interface StepProps {
  field: FieldOf;
  values: SaleFormValues;
}
