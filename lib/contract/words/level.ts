/** The highest level that anybody can have. */
export const MAX_LEVEL = 1_000;
