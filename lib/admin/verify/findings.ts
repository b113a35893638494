import type { Statement } from '@/lib/contract/shapes/live';
import type { InvariantId } from '@/lib/contract/words/invariants';
import type { SentenceCode } from '@/lib/contract/words/sentences';
import { sayAll } from './say-all';

const EXAMPLES = 5;

/** Collects what is wrong, per invariant: all of it counted, the first few kept as examples. */
export class Findings {
  private readonly byInvariant = new Map<InvariantId, { count: number; examples: Statement[] }>();

  add(invariant: InvariantId, code: SentenceCode, values: Statement['values']): void {
    const found = this.byInvariant.get(invariant) ?? { count: 0, examples: [] };
    found.count += 1;
    if (found.examples.length < EXAMPLES) found.examples.push({ code, values });
    this.byInvariant.set(invariant, found);
  }

  /** What is wrong with `invariant`; empty if nothing is. */
  statements(invariant: InvariantId): Statement[] {
    const { count, examples } = this.byInvariant.get(invariant) ?? { count: 0, examples: [] };
    const more = count - examples.length;
    return more > 0 ? [...examples, { code: 'more', values: { count: more } }] : examples;
  }

  /** The same in one English sentence, or null. */
  describe(invariant: InvariantId): string | null {
    return sayAll(this.statements(invariant)) || null;
  }
}
