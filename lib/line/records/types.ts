import type { PassedOver } from '@/lib/contract/words/draw';

/** The state of a waiting room or draw right now, as Postgres has it. Times in epoch ms. */
export type LineHead = {
  saleId: string;
  /** SHA-256 of the seed, 64 hex digits: published before anybody can join. */
  seedHash: string;
  /** How many numbers have been given. */
  joined: number;
  /** How many of these were left; 0 once they are shuffled, and where the row alone was read. */
  left: number;
  /** How many joined before the start: their places are shuffled. Null: not shuffled yet. */
  early: number | null;
  /** The parts of the shuffle's key; null until it has been used. */
  shuffledWith: { seed: string; noncesDigest: string; beacon: string | null } | null;
  /** Places below may enter, those below `lapsed` no longer. */
  admitted: number;
  lapsed: number;
  /** When `admitted` rose to what, oldest first, back to the time that `lapsed` stands for. */
  steps: readonly AdmissionStep[];
  /** For how long the time of those who were let in had stood still in all when a worker last looked, ms. */
  stoodMs: number;
  /** When a worker last looked; null: never. */
  tendedAt: number | null;
  /** How many the merchant admits per minute at most; null: as many as stock and machines allow. */
  perMinute: number | null;
  held: boolean;
  closed: boolean;
  opened: boolean;
  /** Makes the pseudonyms in the published list. */
  pseudonymKey: Uint8Array;
  /** True once everybody who was drawn has a place on the waitlist (draws only). */
  isEnlisted: boolean;
  /** When Postgres answered. */
  readAt: number;
};

/** At this moment, epoch ms, `admitted` rose to this. */
export type AdmissionStep = readonly [at: number, admitted: number];

/** A person's place in a line, which stands until it is left. */
export type LineEntry = {
  number: number;
  joinedAt: number;
  /** When it was used to enter; null: not yet. */
  enteredAt: number | null;
  /** For how long the line's time had stood still by then, ms; null: not known, or not used yet. */
  stoodMs: number | null;
  /** The person who has the place. */
  userId: string;
  /** The variant that is wished in a draw, by its number from 1; 0: there is nothing to wish. */
  variant: number;
  /** The result of a draw; null before it, and in a waiting room. */
  drawn: { place: number; weight: number; passedOver: PassedOver | null } | null;
};

/** A worker that comes later than this was away, and so may the people have been: the time does not count against them. */
export const WORKER_AWAY_AFTER_MS = 3_000;

/** The time an admitted person has to enter, and then again to buy, ms. */
export const TURN_MS = 120_000;

/** How long the entry token lives that is given in turn: what is sent in the last second still arrives; ms. */
export const TOKEN_MS = TURN_MS + 15_000;
