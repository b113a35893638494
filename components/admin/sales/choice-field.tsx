import type { ComponentProps } from 'react';
import { SelectField } from '@/components/ui/field';

interface ChoiceFieldProps<V extends string>
  extends Omit<ComponentProps<typeof SelectField>, 'hint' | 'children' | 'value'> {
  choices: readonly V[];
  value: V;
  nameOf: (choice: V) => string;
  /** What the choice means; shown for the chosen one. */
  hintOf?: (choice: V) => string;
}

/** One of several ways, with what the chosen one means. */
export function ChoiceField<V extends string>({ choices, nameOf, hintOf, ...rest }: ChoiceFieldProps<V>) {
  return (
    <SelectField {...rest} hint={hintOf?.(rest.value)}>
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {nameOf(choice)}
        </option>
      ))}
    </SelectField>
  );
}
