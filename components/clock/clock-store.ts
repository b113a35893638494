import { clockGapMs, hasSlept } from './on-return';
import { type ClockEstimate, type ClockSample, estimateFrom, refine } from './server-clock';

/**
 * The source of the page's time: `synced` with the server, a `remembered` offset from an earlier visit, or only the
 * `device` because nothing better is known yet.
 */
export type ClockSource = 'synced' | 'remembered' | 'device';

const STORAGE_KEY = 'seckill:clock';

const monotonicMs = () => performance.now();

function recall(): number | null {
  try {
    const stored = window.localStorage.getItem(STORAGE_KEY);
    const offset = stored === null ? Number.NaN : Number(stored);
    return Number.isFinite(offset) ? offset : null;
  } catch {
    return null;
  }
}

function remember(offsetFromDeviceMs: number): void {
  try {
    window.localStorage.setItem(STORAGE_KEY, String(Math.round(offsetFromDeviceMs)));
  } catch {
    // Storage may be full or forbidden; the page works without it.
  }
}

interface ClockSnapshot {
  source: ClockSource;
  offsetMs: number;
}

/** Holds the one clock of a tab; everything on the page that shows time shares it. */
export class ClockStore {
  #estimate: ClockEstimate | null = null;
  #snapshot: ClockSnapshot;
  /** The gap of the device's clocks when the server's time was last taken. */
  #gapMs = clockGapMs();
  readonly #listeners = new Set<() => void>();

  constructor() {
    const remembered = recall();
    this.#snapshot = {
      source: remembered === null ? 'device' : 'remembered',
      offsetMs: this.#gapMs + (remembered ?? 0),
    };
  }

  /** Takes a measurement from one round trip. */
  add(sample: ClockSample): void {
    const measured = estimateFrom(sample);
    const estimate = this.#hasSlept() ? measured : refine(this.#estimate, measured);
    this.#gapMs = clockGapMs();
    if (estimate === this.#estimate) return;
    this.#estimate = estimate;
    this.#snapshot = { source: 'synced', offsetMs: estimate.offsetMs };
    // Only used on a later visit whose first request fails: then only the device's clock can be corrected with it.
    remember(estimate.offsetMs - this.#gapMs);
    for (const listener of this.#listeners) listener();
  }

  /**
   * Takes a server time from a cache, possibly a second old, as long as nothing better is known: the device's own
   * clock may be minutes off, and everything planned by it would come minutes late. The next sample replaces it. After
   * the device slept, nothing better is known.
   */
  hint(serverTime: number): void {
    const isLost = this.#hasSlept();
    if (this.#snapshot.source === 'synced' && !isLost) return;
    if (isLost) this.#estimate = null;
    this.#gapMs = clockGapMs();
    this.#snapshot = { source: 'synced', offsetMs: serverTime - monotonicMs() };
    for (const listener of this.#listeners) listener();
  }

  /** Returns the server's time now, epoch ms. */
  now(): number {
    return monotonicMs() + this.#snapshot.offsetMs;
  }

  #hasSlept(): boolean {
    return hasSlept(this.#gapMs, clockGapMs());
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly read = (): ClockSnapshot => this.#snapshot;
}

let shared: ClockStore | undefined;

/** Returns the tab's clock; works only in a browser. */
export function clockStore(): ClockStore {
  shared ??= new ClockStore();
  return shared;
}
