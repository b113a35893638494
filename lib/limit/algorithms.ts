import type { LimitAlgorithm } from '@/lib/contract/words/limit';

/** The state of a limit, as numbers; empty = nothing counted. Each algorithm has its own form. */
export type LimitState = number[];

/**
 * Counts one call into `state` and returns how long to wait, in ms; 0 = let through. Does not count a call that must
 * wait.
 * @param now ms by any clock, as long as it is always the same one
 * @param isLook answers the same and counts nothing
 */
type Take = (state: LimitState, limit: number, windowMs: number, now: number, isLook?: boolean) => number;

/** Bounds the slots of a sliding window. So its calls come back up to a 30th of the window late. */
const SLOTS = 30;

/**
 * The four algorithms for a process that must count alone. A test compares them with the scripts
 * (`lib/redis/scripts/parts`). Windows: "System Design Interview" (A. Xu, ch. 4), the sliding one in slots to bound its
 * state. Token bucket: RFC 2697. Leaky bucket: a meter (ITU-T I.371, annex A). The buckets differ only when a merchant
 * changes the limit.
 */
export const take: Record<LimitAlgorithm, Take> = {
  'fixed-window': (s, limit, windowMs, now, isLook = false) => {
    const [opened, count = 0] = s;
    const isOpen = opened !== undefined && now < opened + windowMs;
    if (isOpen && count >= limit) return Math.min(opened + windowMs - now, windowMs);
    if (isLook) return 0;
    if (isOpen) s[1] = count + 1;
    else s.splice(0, 2, now, 1);
    return 0;
  },

  'sliding-window': (s, limit, windowMs, now, isLook = false) => {
    const slotMs = limit <= SLOTS ? 1 : Math.ceil(windowMs / SLOTS);
    const at = (index: number) => s[index] ?? 0;
    s[0] ??= 0;
    let first = 1;
    for (; first < s.length && at(first) + windowMs <= now; first += 2) s[0] -= at(first + 1);
    s.splice(1, first - 1);
    if (s[0] >= limit) {
      let [over, slot] = [s[0] - limit, 1];
      for (; over >= at(slot + 1); slot += 2) over -= at(slot + 1);
      return at(slot) + windowMs - now;
    }
    if (isLook) return 0;
    const slotEnd = now - (now % slotMs) + slotMs - 1;
    if (s.length > 1 && at(s.length - 2) >= slotEnd) s[s.length - 1] = at(s.length - 1) + 1;
    else s.push(slotEnd, 1);
    s[0] += 1;
    return 0;
  },

  // Tokens stay when the limit changes. A raised limit takes effect as tokens come back.
  'token-bucket': (s, limit, windowMs, now, isLook = false) => {
    const [known, since = now, wasMs = windowMs] = s;
    const full = limit * windowMs;
    const before = known === undefined ? full : rescale(known, wasMs, windowMs, Math.floor);
    const parts = Math.min(full, before + passed(since, now, windowMs) * limit);
    if (parts < windowMs) return Math.ceil((windowMs - parts) / limit);
    if (isLook) return 0;
    s.splice(0, 3, parts - windowMs, now, windowMs);
    return 0;
  },

  // The level stays when the limit changes. A raised limit has room at once.
  'leaky-bucket': (s, limit, windowMs, now, isLook = false) => {
    const [known = 0, since = now, wasMs = windowMs] = s;
    const full = limit * windowMs;
    const before = Math.min(full, rescale(known, wasMs, windowMs, Math.ceil));
    const level = Math.max(0, before - passed(since, now, windowMs) * limit);
    if (level + windowMs > full) return Math.ceil((level + windowMs - full) / limit);
    if (isLook) return 0;
    s.splice(0, 3, level + windowMs, now, windowMs);
    return 0;
  },
};

const passed = (since: number, now: number, windowMs: number) => Math.min(windowMs, Math.max(0, now - since));

const rescale = (parts: number, wasMs: number, windowMs: number, round: (n: number) => number) =>
  wasMs === windowMs ? parts : round((parts / wasMs) * windowMs);
