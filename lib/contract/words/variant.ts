/** The most variants of a sale, and characters of a variant's name. */
export const MAX_VARIANTS = 20;
export const MAX_VARIANT_NAME = 60;
