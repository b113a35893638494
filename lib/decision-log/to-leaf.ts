import 'server-only';
import canonicalize from 'canonicalize';
import { type Decision, decision, type Leaf } from '@/lib/contract/shapes/decision-log';
import { openingOf, pseudonymOf } from '@/lib/ids/pseudonym';

/** Files leaves that concern everybody. */
export const NOBODY = '';

/**
 * Turns decisions into the leaves of a sale's log: canonical JSON (RFC 8785), people and orders by pseudonyms. The same
 * decision always makes the same leaf.
 * @param key of the sale's pseudonyms
 */
export function createLeafMaker(
  saleId: string,
  key: string,
): (made: unknown) => { who: string; leaf: string } {
  const name = (text: string) => pseudonymOf(openingOf(key, text));
  return (made) => {
    const { kind, at, user, order, detail }: Decision = decision.parse(made);
    const who = user === undefined ? NOBODY : name(user);
    const named = order === undefined ? {} : { order: name(order) };
    const about = user === undefined ? {} : { who };
    const leaf: Leaf = { v: 1, sale: saleId, kind, at, ...about, ...named, detail };
    return { who, leaf: canonicalize(leaf) as string };
  };
}
