import type { KeyboardEvent } from 'react';

/**
 * Closes a dialog by Escape for whoever is in it. Radix gives the key to what was opened last, and a toast that came after
 * the dialog would take it.
 */
export const onEscape = (close: () => void) => (event: KeyboardEvent<HTMLElement>) => {
  // What is pressed in another dialog that this one has opened comes by here as well.
  const isWithin = event.target instanceof Node && event.currentTarget.contains(event.target);
  if (event.key === 'Escape' && isWithin) close();
};
