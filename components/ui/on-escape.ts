import type { KeyboardEvent } from 'react';

/**
 * Closes a dialog on Escape while the focus is in it. Radix gives the key to the layer opened last, so a toast that
 * appeared after the dialog would take it.
 */
export const onEscape = (close: () => void) => (event: KeyboardEvent<HTMLElement>) => {
  // Key presses in another dialog opened by this one also reach this handler.
  const isWithin = event.target instanceof Node && event.currentTarget.contains(event.target);
  if (event.key === 'Escape' && isWithin) close();
};
