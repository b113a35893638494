import type { ComponentProps } from 'react';
import { SelectField } from '@/components/ui/field';

interface ChoiceFieldProps<V extends string> extends Omit<ComponentProps<typeof SelectField>, 'children'> {
  /** In the order of the list. An empty one stands for "any" or "none". */
  choices: readonly V[];
  nameOf: (choice: V) => string;
  /** Says what the chosen one means. */
  hintOf?: (choice: V) => string | undefined;
  onChoose?: (choice: V) => void;
}

/** A field for one of several choices, each with its name. */
export function ChoiceField<V extends string>({
  choices,
  nameOf,
  hintOf,
  onChoose,
  ...rest
}: ChoiceFieldProps<V>) {
  const find = (value: unknown) => choices.find((choice) => choice === value);
  const chosen = find(rest.value);
  return (
    <SelectField
      hint={chosen === undefined ? undefined : hintOf?.(chosen)}
      onChange={({ target }) => {
        const choice = find(target.value);
        if (choice !== undefined) onChoose?.(choice);
      }}
      {...rest}
    >
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {nameOf(choice)}
        </option>
      ))}
    </SelectField>
  );
}
