/**
 * Returns the saving against a list price in whole percent, rounded down: what costs anything never saves 100 %.
 * Null below 1 %.
 */
export function savedPercent(priceMinor: number, listPriceMinor: number): number | null {
  const percent = Math.floor(((listPriceMinor - priceMinor) * 100) / listPriceMinor);
  return percent > 0 ? percent : null;
}
