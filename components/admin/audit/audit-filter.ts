/** Texts as they stand in the address. Days are written `2030-01-31`, in the reader's time zone. */
export const NO_FILTER = { actor: '', action: '', subjectId: '', from: '', to: '' };
export type AuditFilter = typeof NO_FILTER;

/** Returns the first instant of a day, `plusDays` later. Empty if the text is no day. */
export function dayStart(day: string, plusDays = 0): string {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return '';
  const at = new Date(year, month - 1, date + plusDays).getTime();
  return at >= 0 ? String(at) : '';
}

/** Turns the filter into query parameters of the HTTP interface. */
export const queryOf = ({ from, to, ...filter }: AuditFilter) => ({
  ...filter,
  from: dayStart(from),
  to: dayStart(to, 1),
});
