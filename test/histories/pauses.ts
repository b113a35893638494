/** After so long work may be waiting for what a step that stands still has locked, ms. */
const STUCK_MS = 200;

/** Something that goes on when the step with the number `until` begins. */
type Pause = { until: number; goOn: () => Promise<unknown> };

/** The steps of a history that stand still, and the commands that are still on their way. */
export class Pauses {
  readonly #pauses = new Set<Pause>();

  add(pause: Pause): void {
    this.#pauses.add(pause);
  }

  /** Lets everything go on whose time has come, to its end. */
  async goOn(nth = Number.POSITIVE_INFINITY): Promise<void> {
    const due = [...this.#pauses].filter(({ until }) => until <= nth);
    for (const pause of due) this.#pauses.delete(pause);
    await this.waitFor(Promise.all(due.map((pause) => pause.goOn())));
  }

  /** Waits for work. If it seems to wait for what stands still, that goes on before its time. */
  async waitFor(work: Promise<unknown>): Promise<void> {
    const stuck = setTimeout(() => void this.goOn(), STUCK_MS);
    await work.finally(() => clearTimeout(stuck));
  }
}
