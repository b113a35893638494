import { Buffer } from 'node:buffer';
import type { OrderStatus } from '@/lib/contract/words/order';
import type { OrderRow, PaymentRow } from '../../stores/rows';
import type { Transaction } from '../../stores/tables';
import type { Session } from '../session';

export const LIVE: readonly OrderStatus[] = ['pending_payment', 'paid'];
export const SEC = 1_000;

/** Compares order numbers, which are numbers in texts. */
export const byNumber = (a: { orderNo: string }, b: { orderNo: string }): number =>
  a.orderNo.length - b.orderNo.length || Buffer.compare(Buffer.from(a.orderNo), Buffer.from(b.orderNo));

/** What the stock is told of an order. */
export const stockOrder = ({ orderNo, saleId, userId }: OrderRow) => ({ orderNo, saleId, userId });

/** What a shopper learns of the payment. */
export const opened = ({ id: paymentId, orderNo, provider, amountMinor, currency }: PaymentRow) => ({
  paymentId,
  orderNo,
  provider,
  amountMinor,
  currency,
});

/** What every change of an order's row writes. */
export const touched = (session: Session, row: OrderRow): Partial<OrderRow> => ({
  version: row.version + 1,
  updatedAt: session.now,
});

/** Writes an entry of the order's history. */
export const note = (
  { store, now }: Session,
  tx: Transaction,
  orderNo: string,
  from: string,
  to: string,
  cause: string,
) => store.events.insert(tx, String(store.nextId()), { orderNo, at: now, from, to, cause });
