/** The sizes of the slider puzzle in its own units; the page scales all of them by the same factor. */
export const PICTURE = { width: 320, height: 160 } as const;

/** The piece's picture: a square with room for a knob on each side. */
export const PIECE_SIZE = 64;

/** The farthest place of a piece: its place is 0 … this. */
export const MAX_X = PICTURE.width - PIECE_SIZE;

/** The gap is at least this far from the piece's start, so that a blind push doesn't solve the puzzle. */
export const MIN_GAP_X = 80;

/** How far an arrow key moves the piece; also the precision of a place. */
export const STEP_X = 2;

/**
 * How far off the piece may be. On a phone, where the picture is 1:1, a thumb misses by six. Of 177 possible places
 * this covers 13, so a guess is right once in fourteen.
 */
export const TOLERANCE_X = 6;
