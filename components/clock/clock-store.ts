import { type ClockEstimate, type ClockSample, estimateFrom, refine } from './server-clock';

/**
 * How the page knows the time: `synced` with the server, from a `remembered` offset of an earlier visit, or from the
 * `device` alone because nothing better is known yet.
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
    // Storage may be full or forbidden; the page works without.
  }
}

interface ClockSnapshot {
  source: ClockSource;
  offsetMs: number;
}

/** One clock per tab, shared by everything on the page that shows time. */
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

  /** Learns from one round trip. */
  add(sample: ClockSample): void {
    const estimate = refine(this.#estimate, estimateFrom(sample));
    if (estimate === this.#estimate) return;
    this.#estimate = estimate;
    this.#snapshot = { source: 'synced', offsetMs: estimate.offsetMs };
    // Only for a later visit whose first request fails; then the device's clock is all there is to correct.
    remember(estimate.offsetMs - (Date.now() - monotonicMs()));
    for (const listener of this.#listeners) listener();
  }

  /**
   * Takes a server time that may be a second old, out of a cache, as long as nothing better is known: the device's own
   * clock may be minutes off, and what is planned by it would come minutes late. The next sample replaces it.
   */
  hint(serverTime: number): void {
    if (this.#snapshot.source === 'synced') return;
    this.#snapshot = { source: 'synced', offsetMs: serverTime - monotonicMs() };
    for (const listener of this.#listeners) listener();
  }

  /** The server's time now, epoch ms. */
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

/** The tab's clock; only in a browser. */
export function clockStore(): ClockStore {
  shared ??= new ClockStore();
  return shared;
}
