import type { AlertRuleId } from '@/lib/contract/words/alert';
import { createPublisher } from '@/lib/metrics/publish-figures';

/** A state of the system in which a rule must be silent, and one in which it must not. */
export type RuleCase = {
  rule: AlertRuleId;
  /** Makes a state in which the rule must still be silent. @returns the subject that the alert will name */
  below: () => Promise<string>;
  /** Makes the state in which the rule must raise an alert. */
  above: (subject: string) => Promise<unknown>;
  end?: () => Promise<unknown>;
};

/** Publishes what this process has counted. */
export const publish = createPublisher('worker');

/** Numbers from 0, `count` of them. */
export const times = (count: number) => Array.from({ length: count }, (_, at) => at);
