import {
  checkOrder,
  checkPayment,
  checkSale,
  type EventRow,
  type LetterRow,
  type MessageRow,
  type OrderRow,
  type PaymentRow,
  type SaleRow,
} from './rows';
import { Table } from './tables';

/** The simulated Postgres: the tables of an order's life, without those of pages, accounts and notices. */
export class PostgresStore {
  readonly sales = new Table<SaleRow>(checkSale);
  readonly orders = new Table<OrderRow>(checkOrder);
  readonly payments = new Table<PaymentRow>(checkPayment);
  /** Keyed by `consumer message`. */
  readonly processed = new Table<true>();
  readonly messages = new Table<MessageRow>();
  /** Keyed by `consumer message`. */
  readonly letters = new Table<LetterRow>();
  /** Keyed by `provider webhook`. */
  readonly paymentEvents = new Table<{ paymentId: string; outcome: string }>();
  readonly events = new Table<EventRow>();
  /** Buyers that have an account. An order of any other user breaks a foreign key. */
  readonly users = new Set<string>();
  private sequence = 0;

  /** Returns an id as a sequence does: never the same twice, not even after a rollback. */
  nextId(): number {
    this.sequence += 1;
    return this.sequence;
  }
}
