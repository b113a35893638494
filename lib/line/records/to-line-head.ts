import type { AdmissionStep, LineHead } from './types';

/** A row of `lines` with the time of Postgres. */
export type LineRow = {
  sale_id: string;
  seed: Uint8Array;
  seed_hash: Uint8Array;
  nonces_digest: Uint8Array | null;
  beacon: string | null;
  next_number: number;
  left_early?: number | null;
  early: number | null;
  admitted: number;
  lapsed: number;
  steps: AdmissionStep[];
  stood_ms: bigint;
  tended_at: Date | null;
  per_minute: number | null;
  held: boolean;
  closed: boolean;
  opened: boolean;
  pseudonym_key: Uint8Array;
  enlisted_at: Date | null;
  read_at: Date;
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Turns a row into the head that may be shown to anybody: the seed stays secret until it has been used. */
export function toLineHead(row: LineRow): LineHead {
  const { early, nonces_digest: digest, seed, beacon } = row;
  return {
    saleId: row.sale_id,
    seedHash: hex(row.seed_hash),
    joined: row.next_number,
    left: row.left_early ?? 0,
    early,
    shuffledWith: early === null || !digest ? null : { seed: hex(seed), noncesDigest: hex(digest), beacon },
    admitted: row.admitted,
    lapsed: row.lapsed,
    steps: row.steps,
    stoodMs: Number(row.stood_ms),
    tendedAt: row.tended_at?.getTime() ?? null,
    perMinute: row.per_minute,
    held: row.held,
    closed: row.closed,
    opened: row.opened,
    pseudonymKey: row.pseudonym_key,
    isEnlisted: row.enlisted_at !== null,
    readAt: row.read_at.getTime(),
  };
}
