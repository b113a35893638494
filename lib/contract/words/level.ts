/** The highest level that an account can have. */
export const MAX_LEVEL = 1_000;
/** The most rules of one kind: more levels than this nobody tells apart. */
export const MAX_LEVEL_RULES = 20;
