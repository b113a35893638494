import type { InvariantId } from './types';

const EXAMPLES = 5;

/** Collects what is wrong, per invariant: all of it counted, the first few kept as examples. */
export class Findings {
  private readonly byInvariant = new Map<InvariantId, { count: number; examples: string[] }>();

  add(invariant: InvariantId, problem: string): void {
    const found = this.byInvariant.get(invariant) ?? { count: 0, examples: [] };
    found.count += 1;
    if (found.examples.length < EXAMPLES) found.examples.push(problem);
    this.byInvariant.set(invariant, found);
  }

  /** What is wrong with `invariant` in one sentence, or null. */
  describe(invariant: InvariantId): string | null {
    const found = this.byInvariant.get(invariant);
    if (!found) return null;
    const more = found.count - found.examples.length;
    return found.examples.join('; ') + (more > 0 ? `; and ${more} more` : '');
  }
}
