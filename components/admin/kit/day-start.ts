/** Returns midnight of a day, `plusDays` later, in the time zone of the browser, as epoch ms. Empty if the text is no day. */
export function dayStart(day: string, plusDays = 0): string {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return '';
  const at = new Date(year, month - 1, date + plusDays).getTime();
  return at >= 0 ? String(at) : '';
}

/** Returns the day of a moment in the time zone of the browser, as a date field takes it. @param atMs epoch ms */
export function dayOf(atMs: number): string {
  const at = new Date(atMs);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
