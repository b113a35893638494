/** The wall clock of this process in epoch milliseconds. Redis's clock, not this one, decides whether a sale is open. */
export const nowMs = (): number => Date.now();
