/** A worker number, or a part of one, that a process may issue order numbers for. Times in epoch ms. */
export type WorkerLease = {
  workerId: number;
  /** Which of its sequence numbers. */
  sequences: { first: number; count: number };
  /** Order numbers of this lease use moments after this one … */
  startAfterMs: number;
  /** … up to this one. Moves on with every renewal. */
  endMs: () => number;
  /**
   * Keeps it for another 30 s. @returns false when it was lost; then take another one.
   * @param lastMs the latest moment used.
   */
  renew: (lastMs: number) => Promise<boolean>;
  /** Gives it back. @param lastMs the latest moment used. */
  release: (lastMs: number) => Promise<void>;
};

/** The same as Redis has it. */
export type Holding = {
  startAfterMs: number;
  endMs: number;
  /** @param latestMs the latest moment used, or now. @returns the new end, null when it was lost. */
  renew: (latestMs: number) => Promise<number | null>;
  release: (lastMs: number) => Promise<void>;
};

/** In whose name and for how long, ms: the lease and the span of time alike, so that who can't renew loses both at once. */
export type Claim = { owner: string; ttlMs: number };

/** A script for worker numbers said what nobody knows. */
export const unknownReply = (reply: readonly string[]): Error =>
  new Error(`a script for worker numbers answered ${JSON.stringify(reply)}`);
