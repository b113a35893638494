/** Returns the first moment of so many days, of which today is the last, in the browser's time zone; epoch ms. */
export function startOfDays(days: number): number {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1).getTime();
}
