'use client';

import { type FormEvent, useRef, useState } from 'react';

/**
 * Checks a form before it is sent, and leads to the first field that is wrong.
 * @param names of the fields, in their order @param check returns what is wrong, by field @param send gets the fields
 *   as entered, once nothing is wrong
 */
export function useCheckedForm<F extends string, P>(
  names: readonly F[],
  check: (values: Record<F, string>) => Partial<Record<F, P>>,
  send: (values: Record<F, string>) => void,
) {
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<Partial<Record<F, P>>>({});
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const values = Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '')]));
    const found = check(values as Record<F, string>);
    setProblems(found);
    const first = names.find((name) => found[name] !== undefined);
    if (first) form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
    else send(values as Record<F, string>);
  };
  return { form, problems, onSubmit };
}
