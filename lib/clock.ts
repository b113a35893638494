/** Reads this process's wall clock in epoch milliseconds. Redis's clock, not this one, decides whether a sale is open. */
export const nowMs = (): number => Date.now();
