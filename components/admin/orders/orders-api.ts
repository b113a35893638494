import { fetchJson } from '@/components/api/fetch-json';

export const ORDER_STATUSES = ['pending_payment', 'paid', 'cancelled', 'refunded', 'failed'] as const;
export type DeskOrderStatus = (typeof ORDER_STATUSES)[number];

export interface DeskOrder {
  orderNo: string;
  saleId: string;
  saleTitle: string;
  userId: string;
  email: string;
  quantity: number;
  unitPriceMinor: number;
  amountMinor: number;
  currency: string;
  status: DeskOrderStatus;
  acceptedAt: number;
}

export interface OrderDetail extends DeskOrder {
  name: string;
  endReason: string | null;
  payBy: number;
  version: number;
  enteredAt: number | null;
  remindedAt: number | null;
  stockSettledAt: number | null;
  refundReturnsStock: boolean | null;
  payment: { paymentId: string; status: string; amountMinor: number; openedAt: number | null } | null;
  history: {
    at: number;
    actor: { kind: 'shopper' | 'merchant' | 'provider' | 'system'; id?: string };
    cause: string;
    data: Record<string, unknown>;
  }[];
  paymentEvents: { at: number; type: string; outcome: string; webhookId: string }[];
  notifications: { at: number; kind: string; readAt: number | null }[];
  points: { at: number; kind: string; points: number }[];
  deadLetters: {
    id: string;
    consumer: string;
    error: string;
    createdAt: number;
    resolvedAt: number | null;
  }[];
  /** A refund that a second person has to allow. */
  waitingRefund: {
    reason: string;
    requestedBy: string;
    requestedByEmail: string | null;
    requestedAt: number;
    expiresAt: number;
  } | null;
  /** E-mail addresses by id. */
  people: Record<string, string>;
  saleStock: { total: number; held: number; sold: number };
}

export interface OrderFilter {
  /** An order number, an e-mail address or the id of an account. */
  q: string;
  status: DeskOrderStatus | '';
  saleId: string;
  /** Days as the browser has them, `2026-11-21`; both included. */
  from: string;
  to: string;
}

const ORDERS = '/api/admin/orders';
const order = (orderNo: string) => `${ORDERS}/${encodeURIComponent(orderNo)}`;

/** Midnight of a day here, `days` later; epoch ms, or nothing for what is no day. */
function dayStart(day: string, days: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const at = new Date(year, month - 1, date + days).getTime();
  return day !== '' && Number.isFinite(at) ? String(at) : '';
}

function query({ q, status, saleId, from, to }: OrderFilter, cursor: string | null = null): string {
  const subject = q.trim();
  const isNumber = /^\d+$/.test(subject);
  return new URLSearchParams({
    ...{ status, saleId, from: dayStart(from, 0), to: dayStart(to, 1), cursor: cursor ?? '' },
    ...(isNumber ? { orderNo: subject } : { user: subject }),
  }).toString();
}

export const getDeskOrders = (filter: OrderFilter, cursor: string | null, signal?: AbortSignal) =>
  fetchJson<{ orders: DeskOrder[]; nextCursor: string | null }>(`${ORDERS}?${query(filter, cursor)}`, {
    ...{ signal, cache: 'no-store' },
  });

/** Where the orders of a filter can be fetched as a file. */
export const exportPath = (filter: OrderFilter) => `${ORDERS}/export?${query(filter)}`;

export const getOrderDetail = (orderNo: string, signal?: AbortSignal) =>
  fetchJson<OrderDetail>(order(orderNo), { signal, cache: 'no-store' });

export const patchPrice = (orderNo: string, body: { priceMinor: number; version: number }) =>
  fetchJson<unknown>(order(orderNo), { method: 'PATCH', body });

export const postCancel = (orderNo: string, reason: string) =>
  fetchJson<unknown>(`${order(orderNo)}/cancel`, { method: 'POST', body: { reason } });

/** A large refund waits for a second person: then the `status` is `pending`, which no order's is. */
export const postRefund = (orderNo: string, body: { reason: string; returnStock: boolean }) =>
  fetchJson<{ status: DeskOrderStatus | 'pending' }>(`${order(orderNo)}/refund`, { method: 'POST', body });
