import { fetchJson } from '@/components/api/fetch-json';
import type { AdminSale } from '@/components/api/types';
import type { NewSale } from '../admin-api';

/** A sale's fields as its editor gets them. */
export type EditableSale = Omit<Required<NewSale>, 'listPriceMinor' | 'reservation'> & {
  saleId: string;
  status: AdminSale['status'];
  version: number;
  listPriceMinor: number | null;
  reservation: NewSale['reservation'] | null;
};

export type SaleEdit = Partial<Omit<EditableSale, 'saleId' | 'status'>> & { version: number };

export interface PreflightCheck {
  id: string;
  ok: boolean;
  severity: 'stop' | 'warn';
  reason: string | null;
  values: Record<string, number>;
}

export interface Preflight {
  ok: boolean;
  checks: PreflightCheck[];
}

export const SALE_STATES = ['draft', 'scheduled', 'running', 'paused', 'ended'] as const;
export const SALE_ORDERS = ['newest', 'start', '-start'] as const;

/** Empty texts are not asked for; days as `date` fields give them, in the reader's time zone. */
export interface SaleListFilter {
  status: (typeof SALE_STATES)[number] | '';
  q: string;
  from: string;
  to: string;
  sort: (typeof SALE_ORDERS)[number];
}

/** Every sale, the newest first. */
export const ANY_SALE: SaleListFilter = { status: '', q: '', from: '', to: '', sort: 'newest' };

const sale = (saleId: string) => `/api/admin/sales/${encodeURIComponent(saleId)}`;
/** The first, or the last, ms of a day. */
const dayMs = (day: string, time: string) => (day ? String(Date.parse(`${day}T${time}`) || '') : '');

export function getSales(filter: SaleListFilter, cursor: string | null, signal?: AbortSignal) {
  const { status, q, sort } = filter;
  const [from, to] = [dayMs(filter.from, '00:00'), dayMs(filter.to, '23:59:59.999')];
  const query = new URLSearchParams({ status, q, from, to, sort, cursor: cursor ?? '' });
  return fetchJson<{ sales: AdminSale[]; nextCursor: string | null }>(`/api/admin/sales?${query}`, {
    ...{ signal, cache: 'no-store' },
  });
}

export const getSale = (saleId: string, signal?: AbortSignal) =>
  fetchJson<EditableSale>(sale(saleId), { signal, cache: 'no-store' });

export const patchSale = (saleId: string, edit: SaleEdit) =>
  fetchJson<{ saleId: string }>(sale(saleId), { method: 'PATCH', body: edit });

export const getPreflight = (saleId: string, signal?: AbortSignal) =>
  fetchJson<Preflight>(`${sale(saleId)}/preflight`, { signal, cache: 'no-store', timeoutMs: 20_000 });
