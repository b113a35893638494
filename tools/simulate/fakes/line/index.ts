import type { PostgresStore } from '../../stores/postgres';
import type { Session } from '../session';
import { drawStatements } from './draws';
import { entryStatements } from './entries';
import { headStatements } from './heads';
import type { Statements } from './statements';

/**
 * Turns are shorter than in production, so that they end while things go wrong. A token outlives its turn by more: a call
 * that stands still and comes late takes longer here than calls ever do.
 */
export const TURN_MS = 30_000;
export const TOKEN_MS = 80_000;

const notSimulated = () => Promise.reject(new Error('not simulated'));

/** Makes all statements on lines that the simulated Postgres knows, by their text. @param now epoch ms */
export const lineStatements = (store: PostgresStore, now: () => number): Statements => ({
  ...headStatements(store, now),
  ...entryStatements(store, now),
  ...drawStatements(store, now),
});

/**
 * Teaches the simulated Postgres the statements on lines, which the product's verbs send as they stand, and makes what
 * joining and entering need besides.
 */
export function lineFakes(session: Session) {
  session.learn(lineStatements(session.store, () => session.now));

  return {
    'lib/db/kept-query': {
      keptQuery: async (strings: TemplateStringsArray, ...values: unknown[]) =>
        session.send(session.db, strings, values),
    },
    'lib/line/types': { TURN_MS, TOKEN_MS },
    // No simulated sale asks for a challenge.
    'lib/checkout/entry/challenge-for': { challengesFor: () => [] },
    'lib/checkout/entry/require-challenge': { requireChallenge: notSimulated },
    'lib/checkout/risk/work-of': { workOf: async () => null },
    'lib/line/hash-for-line': { hashForLine: notSimulated },
    // No public source of chance is simulated.
    // A draw by earlier purchases is not simulated.
    'lib/draw/find-buyers': { findBuyers: notSimulated },
    'lib/beacon/ask-beacon': { askBeacon: notSimulated },
    'lib/switchboard/heard-loads': { busiest: () => null },
  };
}
