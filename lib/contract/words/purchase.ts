/** Most units one request may ask for; the sale's own limit per user is lower and checked with the stock. */
export const MAX_QUANTITY = 1000;
