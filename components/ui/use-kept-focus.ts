'use client';

import { type FocusEvent, type RefObject, useEffect, useRef } from 'react';

interface KeptFocus {
  ref: RefObject<HTMLDivElement | null>;
  onFocus: () => void;
  onBlur: (event: FocusEvent) => void;
}

const CONTROLS = 'a, input, [role=slider], button:not([tabindex="-1"])';

/**
 * Keeps the keyboard where it was when a control is exchanged for another: a button that is switched off or replaced
 * by a link takes the focus with it, and whoever has no mouse would start again at the top of the page. A box without any
 * control for a while gets it itself, if it has a tabIndex.
 * @param stage changes whenever the control inside is another one
 */
export function useKeptFocus(stage: string): KeptFocus {
  const ref = useRef<HTMLDivElement>(null);
  const isOurs = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies(stage): it is what says that the control was exchanged
  useEffect(() => {
    const box = ref.current;
    const { activeElement } = document;
    if (!box || !isOurs.current) return;
    if (activeElement !== document.body && !box.contains(activeElement)) return;
    // Where there are several controls, another one was exchanged.
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
      // No target: the control went away under the focus, which is the case this is for.
      if (relatedTarget !== null) isOurs.current = false;
    },
  };
}
