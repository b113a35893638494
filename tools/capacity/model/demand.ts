import type { Crowd } from '../arguments';
import { KINDS, type Kind, type Measurements, type Step } from '../measurements';

/** How long people watch the state instead of a stream: they ask about once a second, from shortly before the start. */
const STATES_OF_ONE = 3;
/** Who is in asks for the order before and after it is written. */
const LOOKS_AT_ORDER = 2;
/** Of a stream's news: the start, and that all is sold. */
const NEWS = 2;

export const PHASES = ['arrive', 'press', 'write', 'pay'] as const;
export type PhaseName = (typeof PHASES)[number];

/** A phase of a sale: how often each step happens in it. */
export type Phase = { name: PhaseName; ms: number; counts: Partial<Record<Step, number>> };

/** Says how often each step happens in which phase. */
export function phasesOf(crowd: Crowd): Phase[] {
  const { users, units, paid, signIn, streams, cdn, challenge } = crowd;
  const accepted = Math.min(users, units);
  return [
    {
      name: 'arrive',
      ms: crowd.arriveMs,
      counts: {
        'sign-in': users * signIn,
        page: users * (1 - cdn),
        visit: users,
        session: users,
        ...(challenge ? { challenge: users, 'entry-with-proof': users } : { entry: users }),
      },
    },
    {
      name: 'press',
      ms: crowd.windowMs,
      counts: {
        told: users * streams * NEWS,
        state: users * (1 - streams) * STATES_OF_ONE,
        purchase: accepted,
        'sold-out': users - accepted,
      },
    },
    {
      name: 'write',
      ms: crowd.writtenMs,
      counts: { written: accepted, 'own-order': accepted * LOOKS_AT_ORDER },
    },
    { name: 'pay', ms: crowd.payMs, counts: { paid: accepted * paid, expired: accepted * (1 - paid) } },
  ];
}

/** Processor seconds of a phase, by kind of process. */
export function secondsOf({ counts }: Phase, { steps }: Measurements): Record<Kind, number> {
  const of = (kind: Kind) =>
    entriesOf(counts).reduce((sum, [step, count]) => sum + (count * steps[step].cpuUs[kind]) / 1e6, 0);
  return Object.fromEntries(KINDS.map((kind) => [kind, of(kind)])) as Record<Kind, number>;
}

/** Bytes of a phase to the clients. */
export const bytesOf = ({ counts }: Phase, { steps }: Measurements): number =>
  entriesOf(counts).reduce((sum, [step, count]) => sum + count * steps[step].bytes, 0);

/** Mean processor time of a phase's requests in a web process, ms. */
export function webServiceMs(phase: Phase, measured: Measurements): number {
  const asked = entriesOf(phase.counts).reduce((sum, [, count]) => sum + count, 0);
  return asked === 0 ? 0 : (secondsOf(phase, measured).web * 1_000) / asked;
}

export const entriesOf = (counts: Phase['counts']) =>
  Object.entries(counts).filter(([, count]) => count > 0) as [Step, number][];
