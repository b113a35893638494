import { dayStart } from '../kit/day-start';

/** Texts as they stand in the address. Days are written `2030-01-31`, in the reader's time zone. */
export const NO_FILTER = { actor: '', action: '', subjectId: '', from: '', to: '' };
export type AuditFilter = typeof NO_FILTER;

/** Turns the filter into query parameters of the HTTP interface. */
export const auditQueryOf = ({ from, to, ...filter }: AuditFilter) => ({
  ...filter,
  from: dayStart(from),
  to: dayStart(to, 1),
});
