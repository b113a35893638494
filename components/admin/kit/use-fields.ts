'use client';

import { type ChangeEvent, useState } from 'react';

type Control = HTMLInputElement | HTMLTextAreaElement;

/** Holds the values that the user typed and chose in a form, and returns the props that bind fields to them. */
export function useFields<T extends Record<string, string>>(initial: T | (() => T)) {
  const [values, setValues] = useState(initial);
  const set = <N extends keyof T>(name: N, value: T[N]) => setValues((old) => ({ ...old, [name]: value }));
  return {
    values,
    set,
    /** Binds a field that takes any text. */
    text: <N extends keyof T>(name: string extends T[N] ? N : never) => ({
      value: values[name],
      onChange: ({ target }: ChangeEvent<Control>) => setValues((old) => ({ ...old, [name]: target.value })),
    }),
    /** Binds a field that takes one of several choices. */
    choice: <N extends keyof T>(name: N) => ({
      value: values[name],
      onChoose: (value: T[N]) => set(name, value),
    }),
  };
}
