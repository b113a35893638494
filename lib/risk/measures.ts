import type { RiskSubject } from '@/lib/contract/words/risk';
import type { RiskSubjects } from './types';

/** What is done about a subject besides blocking it, until when (epoch ms). */
export type Measure = {
  kind: RiskSubject;
  value: string;
  action: { kind: 'limit'; perMinute: number } | { kind: 'challenge' };
  expiresAt: number;
};

export type Measures = {
  readonly size: number;
  /** What is in force for somebody: the lowest limit, and whether a challenge is asked for. */
  find: (subjects: RiskSubjects, nowMs: number) => { perMinute: number | null; isChallenged: boolean };
};

/** The measures in force, for looking up at every purchase and entry. @param list those of now; expiry needs no news. */
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
