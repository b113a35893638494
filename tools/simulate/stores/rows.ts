import type { WrittenStatus } from '@/lib/contract/words/order';
import type {
  DrawWeights,
  LateMoney,
  SaleAdmission,
  SaleStatus,
  SaleStrategy,
} from '@/lib/contract/words/sale';
import type { PaymentStatus } from '@/lib/payment/types';
import { sqlError } from './tables';

/*
 * The tables of an order's life with their CHECK constraints, as in prisma/migrations. Times in epoch ms; names are
 * Prisma's.
 */

export type SaleRow = {
  id: string;
  status: SaleStatus;
  strategy: SaleStrategy;
  onStockOutage: 'closed';
  stockMode: 'redis';
  limits: null;
  reservationOpensAt: null;
  epoch: number;
  slices: number;
  sliceEpochs: number[];
  totalStock: number;
  heldStock: number;
  soldStock: number;
  limitPerUser: number;
  priceMinor: number;
  currency: string;
  paymentWindowSec: number;
  startsAt: Date;
  endsAt: Date;
  closedAt: Date | null;
  paused: boolean;
  gate: string;
  admission: SaleAdmission;
  entryOpensAt: Date;
  drawWeights: DrawWeights;
  lateMoney: LateMoney;
  merchantId: string;
  stockMargin: number;
  soldOutAt: Date | null;
  version: number;
  waitlist: boolean;
  waitlistClosed: boolean;
  campaignId: string | null;
};

export type CampaignRow = { id: string; limitPerUser: number | null };

/** What a person may have in a sale of a campaign; keyed by `user sale`. */
export type AllowanceRow = {
  campaign_id: string;
  user_id: string;
  sale_id: string;
  units: number;
  number: bigint;
};

/** A place among those who wait for a unit; keyed by `sale number`. */
export type PlaceRow = {
  saleId: string;
  number: number;
  userId: string;
  jti: string;
  orderNo: string;
  leftAt: number | null;
  givenAt: number | null;
  passedAt: number | null;
};

export type OrderRow = {
  orderNo: string;
  shard: number;
  saleId: string;
  userId: string;
  quantity: number;
  unitPriceMinor: number;
  amountMinor: number;
  currency: string;
  status: WrittenStatus;
  isOnlyOne: boolean;
  jti: string;
  epoch: number;
  acceptedAt: number;
  createdAt: number;
  payBy: number;
  paidAt: number | null;
  cancelledAt: number | null;
  endReason: string | null;
  stockSettledAt: number | null;
  refundReturnsStock: boolean | null;
  version: number;
  updatedAt: number;
};

export type PaymentRow = {
  id: string;
  orderNo: string;
  provider: string;
  amountMinor: number;
  currency: string;
  status: PaymentStatus;
  settledAt: number | null;
  refundedAt: number | null;
  openedAt: number | null;
  nextQueryAt: number | null;
  refundDecidedAt: number | null;
  takenMinor: number | null;
  takenCurrency: string | null;
  queries: number;
  createdAt: number;
  updatedAt: number;
};

export type MessageRow = {
  id: number;
  topic: string;
  payload: Record<string, string>;
  attempts: number;
  nextAttemptAt: number;
  createdAt: number;
  sentAt: number | null;
};

export type LetterRow = {
  id: number;
  consumer: string;
  messageId: string;
  saleId: string | null;
  orderNo: string | null;
  payload: Record<string, unknown>;
  error: string;
  releasedAt: number | null;
  /** Reconciliation has repaired what it says. */
  isRepaired: boolean;
  createdAt: number;
};

export type EventRow = { orderNo: string; at: number; from: string; to: string; cause: string };

export function checkSale({ totalStock, heldStock, soldStock }: SaleRow): void {
  const isFitting = totalStock === -1 || heldStock + soldStock <= totalStock;
  if (heldStock < 0 || soldStock < 0 || !isFitting) {
    throw sqlError(
      '23514',
      `sales_committed_stock_check: held ${heldStock}, sold ${soldStock} of ${totalStock}`,
    );
  }
}

export function checkOrder(row: OrderRow): void {
  const { status, paidAt, cancelledAt, endReason, quantity, refundReturnsStock } = row;
  const wrong = [
    !(quantity >= 1 && quantity <= 1000) && 'quantity',
    (status === 'paid' || status === 'refunded') && paidAt === null && 'paid',
    status === 'cancelled' && (cancelledAt === null || paidAt !== null) && 'cancelled',
    (status === 'cancelled' || status === 'failed') && endReason === null && 'reason',
    status === 'refunded' && refundReturnsStock === null && 'refund',
  ].find(Boolean);
  if (wrong) throw sqlError('23514', `orders_${wrong}_check`);
}

export function checkPayment({ status, settledAt, refundedAt, takenMinor, takenCurrency }: PaymentRow): void {
  const isSettled = status === 'succeeded' || status === 'refund_due' || status === 'refunded';
  if (isSettled !== (settledAt !== null)) throw sqlError('23514', 'payments_settled_check');
  const goesBack = status === 'refund_due' || status === 'refunded';
  if ((takenMinor === null) !== (takenCurrency === null) || (takenMinor !== null && !goesBack))
    throw sqlError('23514', 'payments_taken_check');
  if ((status === 'refunded') !== (refundedAt !== null)) throw sqlError('23514', 'payments_refunded_check');
}

/** How many units a slice may sell; keyed by `sale slice`. */
export type SliceRow = { saleId: string; slice: number; total: number };

/** Units on their way between slices; keyed by number. */
export type ParcelRow = {
  number: number;
  saleId: string;
  giver: number | null;
  receiver: number | null;
  units: number;
};

export function checkSlice({ total }: SliceRow): void {
  if (total < 0) throw sqlError('23514', 'sale_slices_total_check');
}

export function checkAllowance({ units }: AllowanceRow): void {
  if (units < 0) throw sqlError('23514', 'campaign_allowances_units_check');
}
