import 'server-only';
import { recordAction } from '@/lib/audit/record-action';
import type { LevelRule, LevelRulesEdit } from '@/lib/contract/shapes/level';
import { transaction } from '@/lib/db/transaction';
import { readLevelRules } from '@/lib/points/read-level-rules';
import { type Actor, demand } from '../actor';

/** The number of the lock; any number that no other code uses. */
const LOCK = 0x6c65766cn;

/**
 * Replaces the rules of levels. `conflict`: somebody has changed them since. The same rules again change nothing.
 * @returns `rules` as they are now
 */
export async function setLevelRules(
  actor: Actor,
  { rules, before }: LevelRulesEdit,
): Promise<{ status: 'set' | 'conflict'; rules: LevelRule[] }> {
  demand(actor, 'manageUsers');
  return transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK})`;
    const present = await readLevelRules(tx);
    if (!isSame(present, before)) return { status: 'conflict', rules: present };
    if (isSame(present, rules)) return { status: 'set', rules };
    await tx.levelRule.deleteMany();
    await tx.levelRule.createMany({ data: rules });
    await recordAction(tx, actor, {
      action: 'level.set_rules',
      subject: { kind: 'levels', id: 'points' },
      before: { rules: present },
      after: { rules },
    });
    return { status: 'set', rules };
  });
}

const isSame = (some: readonly LevelRule[], others: readonly LevelRule[]) =>
  some.length === others.length &&
  some.every(({ level, minPoints }, n) => level === others[n]?.level && minPoints === others[n]?.minPoints);
