import type { AcceptedOrder } from './accepted-order';

/** One entry of a sale's outbox as Redis holds it. */
export type RawEntry = {
  saleId: string;
  /** The sale of the outbox, or one of its slices. */
  stockId: string;
  entryId: string;
  fields: Record<string, string>;
};

/** One entry that can become an order. */
export type OutboxEntry = Omit<RawEntry, 'fields'> & { order: AcceptedOrder };

/** An event as a relay sends it. The executor runs it once per id and function. */
export type RelayEvent = {
  id: string;
  name: string;
  data: Record<string, unknown>;
  /**
   * When it happened, in epoch ms, by the clock of the store it comes from. Executors start nothing before it. With
   * the clock of a worker that is ten minutes fast, accepted purchases would wait ten minutes.
   */
  ts: number;
};

/**
 * Hands an event to the executor; resolves once the executor has it durably.
 * @throws EventRefused if the executor blames the event; anything else means "not now".
 */
export type SendEvent = (event: RelayEvent) => Promise<void>;

/** An entry that will never become an order, and why. */
export type BuriedEntry = RawEntry & { error: string; attempts: number };

/** Records a dead letter and gives the purchase's stock back. Must be idempotent. */
export type BuryEntry = (entry: BuriedEntry) => Promise<void>;

/** The part of a logger the relays use. */
export type RelayLog = {
  info(data: object, message: string): void;
  warn(data: object, message: string): void;
  error(data: object, message: string): void;
};
