/** Reads percent, with a point or a comma, as hundredths of one; null: it is no rate from 0 to 100 %. */
export function parseTaxRate(text: string): number | null {
  if (!/^\d{1,3}([.,]\d{1,2})?$/.test(text)) return null;
  const rate = Math.round(Number(text.replace(',', '.')) * 100);
  return rate <= 10_000 ? rate : null;
}
