import { type Answer, fetchAnswer, fetchJson } from './fetch-json';
import type {
  ChallengeAnswer,
  ChallengeKind,
  ChallengeView,
  EntryGrant,
  HistoryLine,
  LiveSaleListEntry,
  OrderView,
  PurchaseReceipt,
  SaleState,
} from './types';

const ENTRY_HEADER = 'X-Entry-Token';
const sale = (saleId: string) => `/api/sales/${encodeURIComponent(saleId)}`;
const order = (orderNo: string) => `/api/orders/${encodeURIComponent(orderNo)}`;

/** @param limit 1 to 100 */
export const getSales = (limit: number, signal?: AbortSignal) =>
  fetchJson<{ sales: LiveSaleListEntry[] }>(`/api/sales?limit=${limit}`, { signal });

export const getSaleState = (saleId: string, signal?: AbortSignal) =>
  fetchJson<SaleState>(`${sale(saleId)}/state`, { signal, cache: 'no-store' });

/** Where the sale's state arrives by itself, as server-sent events. */
export const saleEventsUrl = (saleId: string) => `${sale(saleId)}/events`;

/**
 * The sale's state for its clock: an address nobody asked for before, so that no cache on the way can answer.
 */
export const getClockSample = (saleId: string, signal?: AbortSignal): Promise<Answer<SaleState>> =>
  fetchAnswer<SaleState>(
    `${sale(saleId)}/state?clock=${crypto.getRandomValues(new Uint32Array(2)).join('')}`,
    {
      signal,
      cache: 'no-store',
      timeoutMs: 5000,
    },
  );

/** @param challenge what the shopper solved, where the sale wants it */
export const postEntry = (saleId: string, challenge: ChallengeAnswer | null, signal?: AbortSignal) =>
  fetchJson<EntryGrant>(`${sale(saleId)}/entry`, {
    method: 'POST',
    body: challenge ? { challenge } : {},
    signal,
  });

/** @param kind another than the sale's own, one of its alternatives */
export const postChallenge = (saleId: string, kind: ChallengeKind | null, signal?: AbortSignal) =>
  fetchJson<ChallengeView>(`${sale(saleId)}/challenge`, {
    method: 'POST',
    body: kind ? { kind } : {},
    signal,
  });

const reservation = (saleId: string) => `${sale(saleId)}/reservation`;

/** The shopper's own reservation. */
export const getReservation = (saleId: string, signal?: AbortSignal) =>
  fetchJson<{ reservedAt: number }>(reservation(saleId), { signal, cache: 'no-store' });

export const postReservation = (saleId: string) =>
  fetchJson<{ reservedAt: number }>(reservation(saleId), { method: 'POST', body: {} });

export const deleteReservation = (saleId: string) =>
  fetchJson<{ cancelledAt: number }>(reservation(saleId), { method: 'DELETE' });

/** The purchase. The body stays empty: everything the server needs is in the address and the token. */
export const postPurchase = (saleId: string, gate: string, entryToken: string, signal?: AbortSignal) =>
  fetchJson<PurchaseReceipt>(`${sale(saleId)}/purchase/${encodeURIComponent(gate)}`, {
    method: 'POST',
    headers: { [ENTRY_HEADER]: entryToken },
    signal,
  });

/** An order, for its owner: by session, or by the entry token it came from. */
export const getOrder = (orderNo: string, entryToken: string | null, signal?: AbortSignal) =>
  fetchJson<OrderView>(order(orderNo), {
    headers: entryToken ? { [ENTRY_HEADER]: entryToken } : {},
    cache: 'no-store',
    signal,
  });

/** What happened to an order so far, for its owner. */
export const getHistory = (orderNo: string, entryToken: string | null, signal?: AbortSignal) =>
  fetchJson<{ events: HistoryLine[] }>(`${order(orderNo)}/history`, {
    headers: entryToken ? { [ENTRY_HEADER]: entryToken } : {},
    cache: 'no-store',
    signal,
  });

export const getOrders = (cursor: string | null, signal?: AbortSignal) =>
  fetchJson<{ orders: OrderView[]; nextCursor: string | null }>(
    `/api/orders${cursor ? `?cursor=${encodeURIComponent(cursor)}` : ''}`,
    { cache: 'no-store', signal },
  );

export const postPay = (orderNo: string) =>
  fetchJson<{ paymentId: string; redirectUrl: string }>(`${order(orderNo)}/pay`, {
    method: 'POST',
    body: {},
  });

export const postCancel = (orderNo: string) =>
  fetchJson<OrderView>(`${order(orderNo)}/cancel`, { method: 'POST', body: {} });
