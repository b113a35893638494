/** A link that stands alone: as high as a finger wants it. */
export const LINK = 'inline-flex min-h-11 items-center underline underline-offset-4';

/** A link within a sentence. */
export const LINK_IN_TEXT = 'font-semibold text-text underline underline-offset-4';
