/** As they stand in the address; days as `2030-01-31`, in the reader's time zone. */
export const NO_FILTER = { actor: '', action: '', subjectId: '', from: '', to: '' };
export type AuditFilter = typeof NO_FILTER;

/** The first instant of a day, or of the day after; empty if it is none. */
export function dayStart(day: string, plusDays = 0): string {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return '';
  const at = new Date(year, month - 1, date + plusDays).getTime();
  return at >= 0 ? String(at) : '';
}

/** The filter as the interface takes it. */
export const queryOf = ({ from, to, ...filter }: AuditFilter) => ({
  ...filter,
  from: dayStart(from),
  to: dayStart(to, 1),
});
