/**
 * Computes how many pieces a demo sale has over all its windows: the number in the catalogue, and as many again
 * whenever fewer than half of the last ones are unsold, so that there is always something to buy. Held pieces may
 * come back and don't count here, so the result is the same however often a sale is restarted.
 * @param pieces the number in the catalogue, from 1. @param sold in all windows together.
 */
export const piecesFor = (pieces: number, sold: number): number => Math.ceil(sold / pieces + 0.5) * pieces;
