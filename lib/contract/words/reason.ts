/** How long a reason, or a note, may be. */
export const MAX_REASON_LENGTH = 500;
