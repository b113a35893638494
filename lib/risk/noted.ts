import type { RiskMetric, RiskSubject } from '@/lib/contract/words/risk';
import { processWide } from '@/lib/process-wide';
import type { RiskSubjects } from './types';
import { knownRisk } from './watch-risk';

/** Different subjects noted until the next evaluation, 250 ms later; what comes on top is counted as lost. */
const MOST_NOTED = 100_000;

/** Something to count: `times` events, or one member. */
export type Note = {
  metric: RiskMetric;
  kind: RiskSubject;
  value: string;
  /** Of the latest event. */
  saleId: string;
  times: number;
  member?: string;
};

/** Where an order was bought from. */
export type Origin = { orderNo: string; ip: string; device: string };

export type Noted = { notes: Map<string, Note>; origins: Origin[]; lost: number };

const empty = (): Noted => ({ notes: new Map(), origins: [], lost: 0 });

const held = processWide('noted', () => ({ noted: empty() }));

/** What was noted since, taken out: from here on a new note begins. */
export function takeNoted(): Noted {
  const { noted } = held;
  held.noted = empty();
  return noted;
}

/**
 * Notes an event for the rules, in memory alone: for the hot path, where it costs a look into a map or three. What no rule
 * counts is not noted.
 * @param member for metrics that count different orders or accounts: which one
 */
export function noteRisk(metric: RiskMetric, subjects: RiskSubjects, saleId: string, member?: string): void {
  for (const kind of knownRisk().counted.get(metric) ?? []) {
    const value = subjects[kind];
    if (value === '') continue;
    add({ metric, kind, value, saleId, times: 1, ...(member === undefined ? {} : { member }) });
  }
}

/** Notes where an order was bought from, if anything tells, for rules that count orders by device or address. */
export function noteOrigin(orderNo: string, { ip, device }: RiskSubjects): void {
  if (ip === '' && device === '') return;
  const counted = knownRisk().counted.get('unpaid_orders');
  if (!counted?.some((kind) => kind !== 'user')) return;
  const { noted } = held;
  if (noted.origins.length < MOST_NOTED) noted.origins.push({ orderNo, ip, device });
  else noted.lost += 1;
}

/** Puts back what could not be counted, to be counted with what came since. */
export function putBack({ notes, origins, lost }: Noted): void {
  for (const note of notes.values()) add(note);
  const { noted } = held;
  const room = Math.max(0, MOST_NOTED - noted.origins.length);
  noted.origins.push(...origins.slice(0, room));
  noted.lost += lost + Math.max(0, origins.length - room);
}

function add(note: Note): void {
  const { noted } = held;
  const key = `${note.metric} ${note.kind} ${note.value} ${note.member ?? ''}`;
  const known = noted.notes.get(key);
  if (known) {
    known.times += note.times;
    known.saleId = note.saleId;
  } else if (noted.notes.size < MOST_NOTED) noted.notes.set(key, note);
  else noted.lost += note.times;
}
