import { fetchJson } from '@/components/api/fetch-json';
import type {
  AdminProduct,
  ChallengeAlternative,
  LiveNumbers,
  OnStockOutage,
  ReservationWindow,
  SaleChallenge,
  SaleLimits,
  SaleStrategy,
} from '@/components/api/types';

export type SaleAction = 'publish' | 'pause' | 'resume' | 'close';

export interface NewProduct {
  slug: string;
  name: string;
  description: string;
  imageUrl: string | null;
}

export interface NewSale {
  productId: string;
  title: string;
  priceMinor: number;
  listPriceMinor?: number;
  currency: string;
  totalStock: number;
  limitPerUser: number;
  startsAt: number;
  endsAt: number;
  entryOpensAt: number;
  paymentWindowSec: number;
  minLevel: number;
  minAccountAgeSec: number;
  requireVerifiedEmail: boolean;
  strategy: SaleStrategy;
  reservation?: ReservationWindow;
  limits?: SaleLimits | null;
  onStockOutage: OnStockOutage;
  challenge: SaleChallenge;
  challengeAlternative: ChallengeAlternative;
}

const sale = (saleId: string) => `/api/admin/sales/${encodeURIComponent(saleId)}`;

export const getAdminProducts = (signal?: AbortSignal) =>
  fetchJson<{ products: AdminProduct[] }>('/api/admin/products', { signal, cache: 'no-store' });

export const getLive = (saleId: string, signal?: AbortSignal) =>
  fetchJson<LiveNumbers>(`${sale(saleId)}/live`, { signal, cache: 'no-store', timeoutMs: 5000 });

export const postProduct = (product: NewProduct) =>
  fetchJson<{ productId: string }>('/api/admin/products', { method: 'POST', body: product });

export const postSale = (body: NewSale) =>
  fetchJson<{ saleId: string }>('/api/admin/sales', { method: 'POST', body });

export const postAction = (saleId: string, action: SaleAction) =>
  fetchJson<unknown>(`${sale(saleId)}/${action}`, { method: 'POST', body: {} });

/** A large increase waits for a second person: then there is a `status`. With the same `requestId` it is done once. */
export const postStock = (saleId: string, change: { delta: number; reason: string; requestId: string }) =>
  fetchJson<{ status?: 'pending'; stock?: { total: number } }>(`${sale(saleId)}/stock`, {
    method: 'POST',
    body: change,
  });

export const patchLimits = (saleId: string, limits: SaleLimits | null) =>
  fetchJson<unknown>(`${sale(saleId)}/limits`, { method: 'PATCH', body: limits });
