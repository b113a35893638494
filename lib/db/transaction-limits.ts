/** How long a transaction that loads a whole sale into Redis may take: a million buyers go through in about 20 s. */
export const loadDurationMs = 60_000;
