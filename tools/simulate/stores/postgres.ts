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

/** What the simulated Postgres holds: the tables of the lifecycle, without those of pages, accounts and notices. */
export class PostgresStore {
  readonly sales = new Table<SaleRow>(checkSale);
  readonly orders = new Table<OrderRow>(checkOrder);
  readonly payments = new Table<PaymentRow>(checkPayment);
  /** By `consumer message`. */
  readonly processed = new Table<true>();
  readonly messages = new Table<MessageRow>();
  /** By `consumer message`. */
  readonly letters = new Table<LetterRow>();
  /** By `provider webhook`. */
  readonly paymentEvents = new Table<{ paymentId: string; outcome: string }>();
  readonly events = new Table<EventRow>();
  /** Buyers that exist; an order of anybody else breaks a foreign key. */
  readonly users = new Set<string>();
  private sequence = 0;

  /** As of a sequence: never given twice, not even after a rollback. */
  nextId(): number {
    this.sequence += 1;
    return this.sequence;
  }
}
