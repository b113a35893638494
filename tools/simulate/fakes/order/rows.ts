import { Buffer } from 'node:buffer';
import type { OrderStatus } from '@/lib/contract/words/order';
import type { OrderRow, PaymentRow } from '../../stores/rows';
import type { Transaction } from '../../stores/tables';
import type { Session } from '../session';

export const LIVE: readonly OrderStatus[] = ['pending_payment', 'paid'];
export const SEC = 1_000;

/** Compares order numbers, which are numbers stored as texts. */
export const byNumber = (a: { orderNo: string }, b: { orderNo: string }): number =>
  a.orderNo.length - b.orderNo.length || Buffer.compare(Buffer.from(a.orderNo), Buffer.from(b.orderNo));

/** Returns the part of an order that the stock verbs take. */
export const stockOrder = ({ orderNo, saleId, userId }: OrderRow) => ({ orderNo, saleId, userId });

/** Returns the part of a payment that a shopper sees. */
export const opened = ({ id: paymentId, orderNo, provider, amountMinor, currency }: PaymentRow) => ({
  paymentId,
  orderNo,
  provider,
  amountMinor,
  currency,
});

/** Returns the fields that every change of an order's row writes. */
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

/**
 * Moves units between a sale's counters, under its lock.
 * @throws 23514, as the CHECK constraints do, if the counters can't be so.
 */
export const countUnits = (
  { store }: Session,
  tx: Transaction,
  saleId: string,
  { held = 0, sold = 0 }: { held?: number; sold?: number },
) =>
  store.sales.update(
    tx,
    saleId,
    () => true,
    (row) => ({ heldStock: row.heldStock + held, soldStock: row.soldStock + sold }),
  );
