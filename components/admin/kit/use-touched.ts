'use client';

import { useState } from 'react';

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Holds what the user changed in a form for something that others change, too: a field that was not touched follows what
 * is saved; one that was touched keeps what the user entered, until that is saved.
 * @param saved what the fields show at first, by their names
 */
export function useTouched<T extends object>(saved: T) {
  const [touched, setTouched] = useState<Partial<T>>({});
  const names = Object.keys(touched) as (keyof T)[];
  const open = names.filter((name) => !isSame(touched[name], saved[name]));
  if (open.length < names.length)
    setTouched(Object.fromEntries(open.map((name) => [name, touched[name]])) as Partial<T>);
  return {
    values: { ...saved, ...touched },
    touch: (change: Partial<T>) => setTouched((old) => ({ ...old, ...change })),
  };
}
