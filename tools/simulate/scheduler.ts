type Entry = { at: number; nth: number; run: () => void };

/** Cancels a planned entry. */
type Cancel = () => void;

/**
 * Simulated time. Future entries wait in a heap; of entries for the same moment, the one planned first runs first.
 * Between two entries every promise that can go on does, so one thread of the machine is enough and two runs are
 * alike.
 */
export class Scheduler {
  private readonly heap: Entry[] = [];
  private count = 0;

  /** Sets the clock to its start. @param now epoch ms */
  constructor(public now: number) {}

  /** Runs `run` `delayMs` from now (≥ 0). */
  after(delayMs: number, run: () => void): Cancel {
    const entry: Entry = { at: this.now + Math.max(0, delayMs), nth: this.count, run };
    this.count += 1;
    this.push(entry);
    return () => {
      entry.run = () => {};
    };
  }

  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, resolve));
  }

  /** Lets time pass until `isOver` returns true or no entry is left. @throws the errors of entries. */
  run(isOver: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const step = () => {
        try {
          if (isOver()) return resolve();
          const next = this.pop();
          if (!next) return resolve();
          this.now = next.at;
          next.run();
        } catch (error) {
          return reject(error);
        }
        // A tick requested by a microtask comes when all microtasks are done: a hundred times cheaper than a timer.
        queueMicrotask(() => process.nextTick(step));
      };
      step();
    });
  }

  private push(entry: Entry): void {
    const { heap } = this;
    let at = heap.length;
    heap.push(entry);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(entry, heap[parent] as Entry)) break;
      heap[at] = heap[parent] as Entry;
      at = parent;
    }
    heap[at] = entry;
  }

  private pop(): Entry | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      const right = heap[child + 1];
      if (right && isBefore(right, heap[child] as Entry)) child += 1;
      if (!isBefore(heap[child] as Entry, last)) break;
      heap[at] = heap[child] as Entry;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

const isBefore = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.nth < b.nth);
