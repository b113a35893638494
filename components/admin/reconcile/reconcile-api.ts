import { fetchJson } from '@/components/api/fetch-json';

export const KINDS = [
  'not_loaded',
  'lost_release',
  'lost_confirm',
  'orphan_hold',
  'phantom_unit',
  'excess_order',
  'broken_counter',
  'payment',
  'provider_books',
  'settings',
] as const;
export type Kind = (typeof KINDS)[number];

export interface ReportSummary {
  reportId: string;
  cause: 'schedule' | 'demand';
  checkedAt: number;
  tookMs: number;
  ok: boolean;
  inFlight: number;
  found: number;
  repaired: number;
}

export interface Difference {
  kind: Kind;
  orderNo: string | null;
  detail: string;
  outcome: 'repaired' | 'open' | 'reported';
}

export type Report = Omit<ReportSummary, 'reportId'> & {
  counts: Partial<Record<Kind, number>>;
  /** The first hundred. */
  differences: Difference[];
};

export const STAGES = ['purchases', 'orders', 'waiting', 'again', 'repairing'] as const;

/** What is being done, and how far that is: `done` of about `total`; both 0 where nothing is counted. */
export interface ReconcileProgress {
  stage: (typeof STAGES)[number];
  done: number;
  total: number;
}

export interface LastReport {
  report: Report | null;
  /** How far the next one is; null: none is under way. */
  progress: ReconcileProgress | null;
}

export interface ReconciledSale {
  saleId: string;
  title: string;
  last: ReportSummary | null;
}

/** A large sale takes a while, and a second reconciliation waits for the first. */
const RUN_WITHIN_MS = 60_000;

const ofSale = (saleId: string) => `/api/admin/sales/${encodeURIComponent(saleId)}/reconcile`;
const read = <T>(path: string, signal?: AbortSignal) => fetchJson<T>(path, { signal, cache: 'no-store' });

export const getReconciled = (
  { state, saleId = '' }: { state: 'all' | 'broken'; saleId?: string },
  cursor: string | null,
  signal?: AbortSignal,
) =>
  read<{ sales: ReconciledSale[]; nextCursor: string | null }>(
    `/api/admin/reconciliations?${new URLSearchParams({ state, saleId, cursor: cursor ?? '' })}`,
    signal,
  );

export const getLastReport = (saleId: string, signal?: AbortSignal) =>
  read<LastReport>(ofSale(saleId), signal);

export const getReports = (saleId: string, signal?: AbortSignal) =>
  read<{ reports: ReportSummary[] }>(`${ofSale(saleId)}/reports`, signal);

export const getReport = (saleId: string, reportId: string, signal?: AbortSignal) =>
  read<{ report: Report }>(`${ofSale(saleId)}/reports/${reportId}`, signal);

/** Reconciles now. @param repair the kinds to put right; none if left out */
export const postReconcile = (saleId: string, repair?: readonly Kind[]) =>
  fetchJson<Report>(ofSale(saleId), {
    method: 'POST',
    body: repair ? { repair: true, kinds: repair } : {},
    timeoutMs: RUN_WITHIN_MS,
  });
