import { setTimeout as delay } from 'node:timers/promises';
import type { Statement } from '@/lib/contract/shapes/live';
import type { InvariantId } from '@/lib/contract/words/invariants';
import type { SentenceCode } from '@/lib/contract/words/sentences';
import { sayAll } from './say-all';

const EXAMPLES = 5;
const REREAD_MS = 250;

/** Collects faults per invariant: counts all of them and keeps the first few as examples. */
export class Findings {
  private readonly byInvariant = new Map<InvariantId, { count: number; examples: Statement[] }>();

  add(invariant: InvariantId, code: SentenceCode, values: Statement['values']): void {
    const found = this.byInvariant.get(invariant) ?? { count: 0, examples: [] };
    found.count += 1;
    if (found.examples.length < EXAMPLES) found.examples.push({ code, values });
    this.byInvariant.set(invariant, found);
  }

  /** Tells whether there are any. */
  any(): boolean {
    return this.byInvariant.size > 0;
  }

  /** Adds what others have found. */
  addAll(others: Findings): void {
    for (const [invariant, { count, examples }] of others.byInvariant) {
      for (const { code, values } of examples) this.add(invariant, code as SentenceCode, values);
      const found = this.byInvariant.get(invariant);
      if (found) found.count += count - examples.length;
    }
  }

  /** Returns the faults of `invariant`; empty if there are none. */
  statements(invariant: InvariantId): Statement[] {
    const { count, examples } = this.byInvariant.get(invariant) ?? { count: 0, examples: [] };
    const more = count - examples.length;
    return more > 0 ? [...examples, { code: 'more', values: { count: more } }] : examples;
  }

  /** Returns the same as one English sentence, or null. */
  describe(invariant: InvariantId): string | null {
    return sayAll(this.statements(invariant)) || null;
  }
}

/**
 * Looks at stores that can't be read at one instant until there is no fault, and adds to `findings` what is still there after
 * `settleMs`.
 * @throws what `look` throws
 */
export async function addLasting(
  findings: Findings,
  settleMs: number,
  look: (found: Findings) => Promise<void>,
): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += REREAD_MS) {
    const found = new Findings();
    await look(found);
    if (!found.any() || waitedMs >= settleMs) return findings.addAll(found);
    await delay(REREAD_MS);
  }
}
