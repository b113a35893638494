import 'server-only';
import { LRUCache } from 'lru-cache';

const MAX_IDS = 1_000;

/**
 * Wraps a read so that all callers for the same id within `maxAgeMs` share one, also while it is under way. For views
 * that many clients poll and that may be this old; failures are not kept.
 */
export function shareBriefly<T>(
  maxAgeMs: number,
  load: (id: string) => Promise<T>,
): (id: string) => Promise<T> {
  const shared = new LRUCache<string, Promise<T>>({ max: MAX_IDS, ttl: maxAgeMs });
  return (id) => {
    const known = shared.get(id);
    if (known) return known;
    const result = load(id);
    shared.set(id, result);
    result.catch(() => {
      if (shared.peek(id) === result) shared.delete(id);
    });
    return result;
  };
}
