'use client';

import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react';

interface KeptFocus {
  ref: RefObject<HTMLDivElement | null>;
  onFocus: () => void;
  onBlur: (event: FocusEvent) => void;
}

const CONTROLS = 'a, input:not([hidden]), [role=slider], button:not([tabindex="-1"])';

/**
 * Keeps the keyboard's focus in a box whose control is disabled or replaced: otherwise a shopper without a mouse starts
 * again at the top of the page. A box without a control takes the focus itself, if it has a tabIndex. Controls outside
 * that disappear at the same stage belong to the box if theirs has `onFocus` and `onBlur`.
 * @param stage changes whenever another control takes the place
 */
export function useKeptFocus(stage: string): KeptFocus {
  const ref = useRef<HTMLDivElement>(null);
  const isOurs = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies(stage): it is what says that the control was exchanged
  useLayoutEffect(() => {
    const box = ref.current;
    const { activeElement } = document;
    if (!box || !isOurs.current) return;
    if (activeElement !== document.body && !box.contains(activeElement)) return;
    // The box has several controls, and another one was replaced.
    if (activeElement !== box && activeElement?.matches(CONTROLS)) return;
    const control = box.querySelector<HTMLElement>(CONTROLS);
    (control ?? box).focus({ preventScroll: true });
  }, [stage]);

  return {
    ref,
    onFocus: () => {
      isOurs.current = true;
    },
    onBlur: ({ relatedTarget }) => {
      // No target: the focused control disappeared, which is the case this hook is for.
      if (relatedTarget !== null) isOurs.current = false;
    },
  };
}
