const keyOf = (saleId: string) => `seckill:variant:${saleId}`;

/** Reads the number of the variant that was chosen in this tab, 0: none. Signing in leads away from the page and back. */
export function readKeptChoice(saleId: string): number {
  try {
    return Number(window.sessionStorage.getItem(keyOf(saleId))) || 0;
  } catch {
    return 0;
  }
}

/** Keeps the choice in this tab; where there is no storage only the page knows it. */
export function keepChoice(saleId: string, variant: number): void {
  try {
    window.sessionStorage.setItem(keyOf(saleId), String(variant));
  } catch {
    // Nothing else is to be done.
  }
}
