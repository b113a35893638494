import { type Attempt, NO_ATTEMPT, type PreviousEnd, parseAttempt } from './attempt';

const PREFIX = 'seckill:attempt:';

/**
 * If the storage can't be used (full, forbidden), the attempts live in this tab's memory: only a reload forgets them,
 * nothing else breaks.
 */
const memory = new Map<string, string>();
const listeners = new Map<string, Set<() => void>>();
const parsed = new Map<string, { raw: string | null; attempt: Attempt }>();

export const attemptKey = (saleId: string, userId: string) => `${PREFIX}${saleId}:${userId}`;

function readRaw(key: string): string | null {
  try {
    // A value in memory could not be stored, so it is the newer one.
    return memory.get(key) ?? window.localStorage.getItem(key);
  } catch {
    return memory.get(key) ?? null;
  }
}

function writeRaw(key: string, raw: string): void {
  try {
    window.localStorage.setItem(key, raw);
    memory.delete(key);
  } catch {
    memory.set(key, raw);
  }
}

/** Reads the attempt from storage. Returns the same object until the attempt changes. */
export function readAttempt(key: string): Attempt {
  const raw = readRaw(key);
  const known = parsed.get(key);
  if (known && known.raw === raw) return known.attempt;
  const attempt = parseAttempt(raw);
  parsed.set(key, { raw, attempt });
  return attempt;
}

/** Changes the attempt and notifies this tab at once, and other tabs through the browser's storage event. */
export function updateAttempt(key: string, change: Partial<Attempt>): void {
  writeRaw(key, JSON.stringify({ ...readAttempt(key), ...change }));
  for (const listener of listeners.get(key) ?? []) listener();
}

/** Starts over with a token yet to be fetched; remembers how the last order ended. */
export function resetAttempt(key: string, previous: PreviousEnd | null): void {
  const { orderNo } = readAttempt(key);
  updateAttempt(key, { ...NO_ATTEMPT, previous, previousOrderNo: previous ? orderNo : null });
}

export function subscribeAttempt(key: string, listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key !== key && event.key !== null) return;
    memory.delete(key);
    listener();
  };
  const set = listeners.get(key) ?? new Set();
  set.add(listener);
  listeners.set(key, set);
  window.addEventListener('storage', onStorage);
  return () => {
    set.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}

/** Forgets every attempt, with its entry token, of everyone who has used this browser; other tabs learn of it. */
export function forgetAttempts(): void {
  try {
    for (const key of Object.keys(window.localStorage))
      if (key.startsWith(PREFIX)) window.localStorage.removeItem(key);
  } catch {
    // No storage: the attempts were only in this tab's memory.
  }
  memory.clear();
  for (const set of listeners.values()) for (const listener of set) listener();
}

/**
 * Returns the entry token of an order, if this browser bought it: the token opens the order even after the session is
 * over.
 */
export function findTokenOf(orderNo: string): string | null {
  try {
    for (const key of Object.keys(window.localStorage)) {
      if (!key.startsWith(PREFIX)) continue;
      const attempt = readAttempt(key);
      if (attempt.orderNo === orderNo && attempt.entry) return attempt.entry.entryToken;
    }
  } catch {
    // A browser without storage has no token: the session decides.
  }
  return null;
}
