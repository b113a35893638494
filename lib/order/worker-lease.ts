/** A worker number, or a part of one, for which a process may issue order numbers. Times in epoch ms. */
export type WorkerLease = {
  workerId: number;
  /** The sequence numbers of it that this lease has. */
  sequences: { first: number; count: number };
  /** Order numbers of this lease use moments after this one … */
  startAfterMs: number;
  /** … up to this one. Moves on with every renewal. */
  endMs: () => number;
  /**
   * Keeps the lease for another 30 s. @returns false when it was lost; then take another one.
   * @param lastMs the latest moment used.
   */
  renew: (lastMs: number) => Promise<boolean>;
  /** Gives the lease back. @param lastMs the latest moment used. */
  release: (lastMs: number) => Promise<void>;
};

/** The same lease as Redis has it. */
export type Holding = {
  startAfterMs: number;
  endMs: number;
  /** Renews it. @param latestMs the latest moment used, or now. @returns the new end, null when it was lost. */
  renew: (latestMs: number) => Promise<number | null>;
  release: (lastMs: number) => Promise<void>;
};

/**
 * The owner of a lease and its length, ms. The length is that of the lease and of the span of time alike, so that a
 * process that can't renew loses both at once.
 */
export type Claim = { owner: string; ttlMs: number };

/** Builds the error for an unknown reply of a script for worker numbers. */
export const unknownReply = (reply: readonly string[]): Error =>
  new Error(`a script for worker numbers answered ${JSON.stringify(reply)}`);
