import 'server-only';
import { type Actor, demand } from '@/lib/actor/actor';
import { changedFields } from '@/lib/audit/changed-fields';
import { recordAction } from '@/lib/audit/record-action';
import type { LevelRules, LevelRulesEdit, LevelRulesView } from '@/lib/contract/shapes/level';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { readLevelRules } from '../read-level-rules';

/**
 * Replaces the rules by which shoppers earn levels; the same rules again change nothing. `conflict`: another user has
 * changed them since `before`.
 * @returns `rules` as they are now
 */
export async function setLevelRules(
  actor: Actor,
  { before, byPoints, byMembership }: LevelRulesEdit,
): Promise<{ status: 'set' | 'conflict'; rules: LevelRules } | { status: 'unknown_product' }> {
  demand(actor, 'manageUsers');
  return transaction(async (tx) => {
    // Two changes at once take turns. Reads go on meanwhile.
    await tx.$executeRaw`LOCK TABLE level_rules, membership_rules IN SHARE ROW EXCLUSIVE MODE`;
    const present = inOrder(await readLevelRules(tx));
    if (changedFields(present, inOrder(before))) return { status: 'conflict', rules: present };
    const rules = inOrder({ byPoints, byMembership });
    const fields = changedFields(present, rules);
    if (!fields) return { status: 'set', rules };
    const ids = byMembership.map(({ productId }) => productId);
    if ((await tx.product.count({ where: { id: { in: ids } } })) < ids.length)
      return { status: 'unknown_product' };
    await tx.levelRule.deleteMany();
    await tx.levelRule.createMany({ data: byPoints });
    await tx.membershipRule.deleteMany();
    await tx.membershipRule.createMany({ data: byMembership });
    await recordAction(tx, actor, {
      action: 'level.set_rules',
      subject: { kind: 'levels', id: 'rules' },
      ...fields,
    });
    return { status: 'set', rules };
  });
}

/** Sorts memberships by the same rule wherever they come from, so that two lists of the same are equal. */
const inOrder = ({ byPoints, byMembership }: LevelRules): LevelRules => ({
  byPoints,
  byMembership: byMembership.toSorted(
    (one, other) => one.level - other.level || (one.productId < other.productId ? -1 : 1),
  ),
});

/** Adds the names of the products. */
export async function viewLevelRules(rules: LevelRules): Promise<LevelRulesView> {
  const ids = rules.byMembership.map(({ productId }) => productId);
  const products = await db().product.findMany({
    where: { id: { in: ids } },
    select: { id: true, name: true },
  });
  return { ...rules, products: Object.fromEntries(products.map(({ id, name }) => [id, name])) };
}
