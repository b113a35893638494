/** The most units one request may ask for. The sale's own limit per user is lower and is checked with the stock. */
export const MAX_QUANTITY = 1000;
