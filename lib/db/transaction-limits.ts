/** The longest a transaction that loads a whole sale into Redis may take: a million buyers take about 20 s. */
export const loadDurationMs = 60_000;
