/** Sizes of the slider puzzle in its own units; the page scales all of them alike. */
export const PICTURE = { width: 320, height: 160 } as const;

/** The piece's picture: a square with room for a knob on each side. */
export const PIECE_SIZE = 64;

/** How far a piece can be pushed: its place is 0 … this. */
export const MAX_X = PICTURE.width - PIECE_SIZE;

/** The gap is never so near to where the piece starts that a push in the dark would do. */
export const MIN_GAP_X = 80;

/** What an arrow key moves; also how exact a place is. */
export const STEP_X = 2;

/**
 * How far off the piece may be. Six is what a thumb on a phone misses by (there the picture is 1:1); of 177 possible
 * places it covers 13, so a guess is right once in fourteen.
 */
export const TOLERANCE_X = 6;
