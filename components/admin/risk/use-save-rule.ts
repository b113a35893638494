'use client';

import { useState } from 'react';
import { ApiProblem, type ProblemField, problemCode } from '@/components/api/api-problem';
import { newRequestId } from '@/components/api/new-request-id';
import { request } from '@/components/api/request';
import type { CreateRuleInput, RiskRule } from '@/lib/contract/shapes/risk';
import { useActionOf } from '../kit/use-action';

interface Settings {
  refresh: () => Promise<readonly RiskRule[]>;
  onDone: (saved: RiskRule) => void;
  onRefused: (fields: readonly ProblemField[]) => void;
}

/**
 * Saves a new rule, or a changed one over the version that the user has seen. After a conflict `theirs` is the rule as
 * another user saved it meanwhile, until this user keeps one of the two.
 * @param rule null: a new rule
 */
export function useSaveRule(rule: RiskRule | null, { refresh, onDone, onRefused }: Settings) {
  const [requestId] = useState(newRequestId);
  const [theirs, setTheirs] = useState<RiskRule | null>(null);
  const [version, setVersion] = useState(rule?.version ?? 0);
  const action = useActionOf(
    ({ made, over }: { made: CreateRuleInput; over: number }) =>
      rule
        ? request('PATCH /api/admin/risk/rules/{ruleId}', {
            params: { ruleId: rule.ruleId },
            body: { version: over, ...made },
          })
        : request('POST /api/admin/risk/rules', { body: { ...made, requestId } }),
    {
      onDone,
      onError: async (error) => {
        if (error instanceof ApiProblem) onRefused(error.fields);
        if (problemCode(error) !== 'VERSION_CONFLICT') return;
        const now = (await refresh()).find(({ ruleId }) => ruleId === rule?.ruleId);
        setTheirs(now ?? null);
      },
    },
  );
  const isConflict = problemCode(action.error) === 'VERSION_CONFLICT';
  return {
    action,
    theirs: isConflict ? theirs : null,
    save: (made: CreateRuleInput) => action.mutate({ made, over: version }),
    keepMine: (made: CreateRuleInput, over: number) => {
      setVersion(over);
      action.mutate({ made, over });
    },
    takeTheirs: ({ version: over }: RiskRule) => {
      setVersion(over);
      setTheirs(null);
      action.reset();
    },
  };
}
