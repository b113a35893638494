/** Returns midnight of a day, `plusDays` later, in the time zone of the browser, as epoch ms. Empty if the text is no day. */
export function dayStart(day: string, plusDays = 0): string {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return '';
  const at = new Date(year, month - 1, date + plusDays).getTime();
  return at >= 0 ? String(at) : '';
}
