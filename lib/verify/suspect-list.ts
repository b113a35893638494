import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { type Examined, examineSuspects } from './examine-suspects';
import type { Findings } from './findings';
import type { OrderRef } from './read-orders';

/** Suspects kept at a time: bounds memory, and how often the outbox is paged through. */
const MAX_SUSPECTS = 20_000;
const FIRST_WAIT_MS = 100;

export type Scope = {
  saleId: string;
  /** Which loading of the stock from which a user buys is valid. */
  epochOf: (userId: string) => number;
  limitPerUser: number;
  /** How long a suspect may take to turn out right, in ms. */
  settleMs: number;
};

export type Suspect = OrderRef & { units: number };

/**
 * Order numbers that didn't match at first sight. They are examined in bulk, and those that look broken again and
 * again with growing waits, so that a change in progress on a running sale is not taken for a violation.
 */
export class SuspectList {
  /** Units of the purchases so far found on their way to Postgres. */
  inFlightUnits = 0;
  private suspects: Suspect[] = [];

  constructor(
    private readonly scope: Scope,
    private readonly findings: Findings,
  ) {}

  async add(suspects: readonly Suspect[]): Promise<void> {
    for (const suspect of suspects) this.suspects.push(suspect);
    if (this.suspects.length >= MAX_SUSPECTS) await this.settle();
  }

  /** Examines everything on the list and reports the suspects that stay broken. */
  async settle(): Promise<void> {
    const { settleMs } = this.scope;
    let open = this.suspects;
    this.suspects = [];
    for (let waitedMs = 0, waitMs = FIRST_WAIT_MS; open.length > 0; waitMs *= 2) {
      const broken: { suspect: Suspect; verdict: Examined }[] = [];
      (await examineSuspects(this.scope.saleId, this.scope.epochOf, open)).forEach((verdict, i) => {
        const suspect = open[i];
        if (!suspect) return;
        if (verdict.status === 'in_flight') this.inFlightUnits += suspect.units;
        if (verdict.status === 'broken') broken.push({ suspect, verdict });
      });
      if (waitedMs >= settleMs) {
        for (const { verdict } of broken) {
          if (verdict.status !== 'broken') continue;
          const { invariant, problem } = verdict;
          this.findings.add(invariant, problem.code, problem.values);
        }
        return;
      }
      open = broken.map(({ suspect }) => suspect);
      if (open.length === 0) return;
      await delay(Math.min(waitMs, settleMs - waitedMs));
      waitedMs += waitMs;
    }
  }
}
