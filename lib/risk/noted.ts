import type { RiskMetric, RiskSubject } from '@/lib/contract/words/risk';
import { processWide } from '@/lib/process-wide';
import { isOn } from '@/lib/switchboard/is-on';
import type { RiskSubjects, ScorePart } from './types';
import { knownRisk } from './watch-risk';

/** The most different subjects noted until the next evaluation, 250 ms later; further ones are counted as lost. */
const MOST_NOTED = 100_000;

/** A thing to count: `times` events, or one member. */
export type Note = {
  metric: RiskMetric;
  kind: RiskSubject;
  value: string;
  /** The sale of the latest event. */
  saleId: string;
  /** How often; of a score, how high. */
  times: number;
  member?: string;
  /** What a score is made of. */
  why?: readonly ScorePart[];
};

/** The address and device from which an order was bought. */
export type Origin = { orderNo: string; ip: string; device: string };

export type Noted = { notes: Map<string, Note>; origins: Origin[]; lost: number };

const empty = (): Noted => ({ notes: new Map(), origins: [], lost: 0 });

const held = processWide('noted', () => ({ noted: empty() }));

/** Takes out all notes so far; from here on new ones are collected. */
export function takeNoted(): Noted {
  const { noted } = held;
  held.noted = empty();
  return noted;
}

/**
 * Notes an event for the rules, in memory only. For the hot path: it costs one to three lookups in a map. Skips
 * events that no rule counts, and all while risk rules are switched off.
 * @param member the order or account, for metrics that count different ones
 */
export function noteRisk(metric: RiskMetric, subjects: RiskSubjects, saleId: string, member?: string): void {
  if (!isOn('risk')) return;
  for (const kind of knownRisk().counted.get(metric) ?? []) {
    const value = subjects[kind];
    if (value === '') continue;
    add({ metric, kind, value, saleId, times: 1, ...(member === undefined ? {} : { member }) });
  }
}

/** Notes the score of an account, for rules that look at scores. The highest until the next evaluation counts. */
export function noteScore(user: string, saleId: string, score: number, why: readonly ScorePart[]): void {
  if (score === 0 || user === '' || !isOn('risk') || !knownRisk().counted.has('score')) return;
  add({ metric: 'score', kind: 'user', value: user, saleId, times: score, why });
}

/** Notes from where an order was bought, if that is known, for rules that count orders by device or address. */
export function noteOrigin(orderNo: string, { ip, device }: RiskSubjects): void {
  if ((ip === '' && device === '') || !isOn('risk')) return;
  const counted = knownRisk().counted.get('unpaid_orders');
  if (!counted?.some((kind) => kind !== 'user')) return;
  const { noted } = held;
  if (noted.origins.length < MOST_NOTED) noted.origins.push({ orderNo, ip, device });
  else noted.lost += 1;
}

/** Puts back notes that could not be counted; they are counted together with newer ones. */
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
  if (known && note.metric === 'score') {
    if (note.times > known.times) noted.notes.set(key, note);
  } else if (known) {
    known.times += note.times;
    known.saleId = note.saleId;
  } else if (noted.notes.size < MOST_NOTED) noted.notes.set(key, note);
  else noted.lost += note.times;
}
