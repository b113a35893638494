import type { RiskSubject } from '@/lib/contract/words/risk';
import type { RiskSubjects } from './types';

/** An action against a subject other than a block, and until when it lasts (epoch ms). */
export type Measure = {
  kind: RiskSubject;
  value: string;
  action: { kind: 'limit'; perMinute: number } | { kind: 'challenge' };
  expiresAt: number;
};

export type Measures = {
  readonly size: number;
  /** Returns what is in force for these subjects: the lowest limit, and whether a challenge is needed. */
  find: (subjects: RiskSubjects, nowMs: number) => { perMinute: number | null; isChallenged: boolean };
};

/**
 * Makes a lookup of the measures in force, for every purchase and entry. @param list the present ones; expiry needs
 * no message.
 */
export function createMeasures(list: readonly Measure[]): Measures {
  const bySubject = new Map<string, Measure[]>();
  for (const measure of list) {
    const key = `${measure.kind} ${measure.value}`;
    bySubject.set(key, [...(bySubject.get(key) ?? []), measure]);
  }
  return {
    size: list.length,
    find(subjects, nowMs) {
      let perMinute: number | null = null;
      let isChallenged = false;
      for (const kind of ['user', 'ip', 'device'] as const) {
        for (const { action, expiresAt } of bySubject.get(`${kind} ${subjects[kind]}`) ?? []) {
          if (expiresAt <= nowMs) continue;
          if (action.kind === 'challenge') isChallenged = true;
          else perMinute = Math.min(perMinute ?? Number.POSITIVE_INFINITY, action.perMinute);
        }
      }
      return { perMinute, isChallenged };
    },
  };
}
