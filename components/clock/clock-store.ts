import { type ClockEstimate, type ClockSample, estimateFrom, refine } from './server-clock';

/**
 * Where the page's time comes from: `synced` with the server, a `remembered` offset from an earlier visit, or only
 * the `device` because nothing better is known yet.
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
  readonly #listeners = new Set<() => void>();

  constructor() {
    const remembered = recall();
    const deviceMs = Date.now() - monotonicMs();
    this.#snapshot = {
      source: remembered === null ? 'device' : 'remembered',
      offsetMs: deviceMs + (remembered ?? 0),
    };
  }

  /** Takes a measurement from one round trip. */
  add(sample: ClockSample): void {
    const estimate = refine(this.#estimate, estimateFrom(sample));
    if (estimate === this.#estimate) return;
    this.#estimate = estimate;
    this.#snapshot = { source: 'synced', offsetMs: estimate.offsetMs };
    // Only used on a later visit whose first request fails: then only the device's clock can be corrected with it.
    remember(estimate.offsetMs - (Date.now() - monotonicMs()));
    for (const listener of this.#listeners) listener();
  }

  /**
   * Takes a server time from a cache, possibly a second old, as long as nothing better is known: the device's own
   * clock may be minutes off, and everything planned by it would come minutes late. The next sample replaces it.
   */
  hint(serverTime: number): void {
    if (this.#snapshot.source === 'synced') return;
    this.#snapshot = { source: 'synced', offsetMs: serverTime - monotonicMs() };
    for (const listener of this.#listeners) listener();
  }

  /** Returns the server's time now, epoch ms. */
  now(): number {
    return monotonicMs() + this.#snapshot.offsetMs;
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
