import { fetchJson } from '@/components/api/fetch-json';

type Fields = Record<string, unknown>;

export interface AuditEntry {
  id: string;
  at: number;
  actorId: string;
  actorEmail: string | null;
  actorRole: string;
  action: string;
  subjectKind: string;
  subjectId: string;
  before: Fields | null;
  after: Fields | null;
  reason: string | null;
}

export interface AuditPage {
  entries: AuditEntry[];
  nextCursor: string | null;
}

export interface AuditCheck {
  ok: boolean;
  entries: number;
  detail: string;
  lastHash: string | null;
  checkedAt: number;
}

/** As they stand in the address; days as `2030-01-31`, in the reader's time zone. */
export const NO_FILTER = { actor: '', action: '', subjectId: '', from: '', to: '' };
export type AuditFilter = typeof NO_FILTER;

const AUDIT = '/api/admin/audit';
/** It is read from its beginning. */
const CHECK_WITHIN_MS = 120_000;

/** The first instant of a day, or of the day after; empty if it is none. */
export function dayStart(day: string, plusDays = 0): string {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return '';
  const at = new Date(year, month - 1, date + plusDays).getTime();
  return at >= 0 ? String(at) : '';
}

function query({ from, to, ...filter }: AuditFilter, cursor: string | null = null): string {
  const given = { ...filter, from: dayStart(from), to: dayStart(to, 1), cursor: cursor ?? '' };
  return new URLSearchParams(given).toString();
}

export const getAudit = (filter: AuditFilter, cursor: string | null, signal?: AbortSignal) =>
  fetchJson<AuditPage>(`${AUDIT}?${query(filter, cursor)}`, { signal, cache: 'no-store' });

export const getAuditCheck = (signal?: AbortSignal) =>
  fetchJson<AuditCheck>(`${AUDIT}/verification`, { signal, cache: 'no-store', timeoutMs: CHECK_WITHIN_MS });

/** Where what the filter shows can be fetched as a file. */
export const exportPath = (filter: AuditFilter) => `${AUDIT}/export?${query(filter)}`;
