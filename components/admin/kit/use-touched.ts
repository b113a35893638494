'use client';

import { useState } from 'react';

type Touch<V> = { value: V /** As it was saved when the user touched it. */; over: V };

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Holds what the user changed in a form for something that others change, too: a field that was not touched follows what
 * is saved; one that was touched keeps what the user entered.
 * @param saved what the fields show at first, by their names
 * @returns `isOvertaken`: others have saved another value of a touched field; `settle`: says that all was saved, so that all fields
 *   follow again once `saved` shows it
 */
export function useTouched<T extends object>(saved: T) {
  const [touched, setTouched] = useState<{ [N in keyof T]?: Touch<T[N]> }>({});
  const [settledOver, setSettledOver] = useState<string | null>(null);
  const names = Object.keys(touched) as (keyof T)[];
  const isSettled = settledOver !== null && settledOver !== JSON.stringify(saved);
  const open = isSettled ? [] : names.filter((name) => !isSame(touched[name]?.value, saved[name]));
  if (open.length < names.length)
    setTouched(Object.fromEntries(open.map((name) => [name, touched[name]])) as typeof touched);
  if (isSettled) setSettledOver(null);
  const values = { ...saved };
  for (const name of open) values[name] = (touched[name] as Touch<T[typeof name]>).value;
  return {
    values,
    isOvertaken: settledOver === null && open.some((name) => !isSame(touched[name]?.over, saved[name])),
    touch: (change: Partial<T>) => {
      setSettledOver(null);
      setTouched((old) => {
        const next = { ...old };
        for (const name of Object.keys(change) as (keyof T)[])
          next[name] = { value: change[name] as T[typeof name], over: old[name]?.over ?? saved[name] };
        return next;
      });
    },
    settle: () => setSettledOver(JSON.stringify(saved)),
  };
}
