'use client';

import { type ChangeEvent, useState } from 'react';

type Control = HTMLInputElement | HTMLTextAreaElement;

/** What is typed and chosen in a form, and what binds its fields to that. */
export function useFields<T extends Record<string, string>>(initial: T | (() => T)) {
  const [values, setValues] = useState(initial);
  const set = <N extends keyof T>(name: N, value: T[N]) => setValues((old) => ({ ...old, [name]: value }));
  return {
    values,
    set,
    /** For a field that takes any text. */
    text: <N extends keyof T>(name: string extends T[N] ? N : never) => ({
      value: values[name],
      onChange: ({ target }: ChangeEvent<Control>) => setValues((old) => ({ ...old, [name]: target.value })),
    }),
    /** For a field that takes one of several. */
    choice: <N extends keyof T>(name: N) => ({
      value: values[name],
      onChoose: (value: T[N]) => set(name, value),
    }),
  };
}
