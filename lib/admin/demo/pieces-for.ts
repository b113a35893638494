/**
 * How many pieces a demo sale has in all, in whatever window: what the demo says, and as many again whenever fewer than
 * half of the last ones are unsold, so that there is always something to buy. What is held may come back, and so counts
 * for nothing here: the answer is the same however often a sale is started again.
 * @param pieces what the demo says, from 1. @param sold in all windows together.
 */
export const piecesFor = (pieces: number, sold: number): number => Math.ceil(sold / pieces + 0.5) * pieces;
