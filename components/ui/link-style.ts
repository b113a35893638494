/** A link that stands alone: as high as a finger wants it. */
export const LINK = 'inline-flex min-h-11 items-center underline underline-offset-4';
