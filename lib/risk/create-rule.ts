import 'server-only';
import type { CreateRuleInput, RiskRule } from '@/lib/contract/shapes/risk';
import { type Db, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { MOST_RULES } from './read-rules';
import { toRule } from './types';

/**
 * Adds a rule; all processes apply it within a second.
 * @param by user id
 * @returns null if there are 200 already, or the id is in use
 */
export async function createRule(
  input: CreateRuleInput,
  by: string,
  client: Db = db(),
  id = newId('rule'),
): Promise<RiskRule | null> {
  if ((await client.riskRule.count({ where: { deletedAt: null } })) >= MOST_RULES) return null;
  const { name, definition, state, priority } = input;
  const [row] = await client.riskRule.createManyAndReturn({
    data: { id, name, definition, state, priority, changedBy: by },
    skipDuplicates: true,
  });
  return row ? toRule(row) : null;
}
