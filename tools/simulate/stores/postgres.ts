import { AdvisoryLocks } from './advisory-locks';
import { checkLine, checkLineEntry, type LineEntryRow, type LineRow } from './line-rows';
import {
  type AllowanceRow,
  type CampaignRow,
  checkAllowance,
  checkOrder,
  checkPayment,
  checkSale,
  checkSlice,
  type EventRow,
  type LetterRow,
  type MessageRow,
  type OrderRow,
  type ParcelRow,
  type PaymentRow,
  type PlaceRow,
  type SaleRow,
  type SliceRow,
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
  readonly places = new Table<PlaceRow>();
  readonly lines = new Table<LineRow>(checkLine);
  /** Keyed by `sale number`. */
  readonly lineEntries = new Table<LineEntryRow>(checkLineEntry);
  readonly campaigns = new Table<CampaignRow>();
  /** Keyed by `user sale`. */
  readonly allowances = new Table<AllowanceRow>(checkAllowance);
  readonly slices = new Table<SliceRow>(checkSlice);
  readonly parcels = new Table<ParcelRow>();
  readonly advisory = new AdvisoryLocks();
  /** Buyers that have an account. An order of any other user breaks a foreign key. */
  readonly users = new Set<string>();
  /** Levels of members, where not 0. */
  readonly levels = new Map<string, number>();
  private sequence = 0;

  /** Returns an id as a sequence does: never the same twice, not even after a rollback. */
  nextId(): number {
    this.sequence += 1;
    return this.sequence;
  }
}
