import type { BlockKind, SubjectProblem } from '@/lib/contract/words/block';
import { formatNetwork, isTooWide, parseNetwork } from './parse-network';

/** The form of ids in entry tokens and of our own ids. */
const ID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Reads the subject to block.
 * @param value user or device id, 1 … 64 of `[A-Za-z0-9_-]`; address or network (CIDR), IPv4 at least /8, IPv6 /16.
 * @returns its one stored spelling, or what is wrong with it.
 */
export function parseSubject(
  kind: BlockKind,
  value: string,
): { ok: true; value: string } | { ok: false; problem: SubjectProblem } {
  const text = value.trim();
  if (kind !== 'ip') return ID.test(text) ? { ok: true, value: text } : { ok: false, problem: 'not_an_id' };
  const network = parseNetwork(text);
  if (!network) return { ok: false, problem: 'not_a_network' };
  // Catches a typing error that would lock out half the world.
  return isTooWide(network)
    ? { ok: false, problem: 'too_wide' }
    : { ok: true, value: formatNetwork(network) };
}
