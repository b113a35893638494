'use client';

import { useTranslations } from 'next-intl';
import { ALERT_RULES } from '@/lib/alert/rules';
import { type AlertUnit, isAlertRule } from '@/lib/contract/words/alert';
import { usePartWords } from '../queues/use-part-words';
import { useSwitchWords } from '../switchboard/use-switch-words';

/** Returns the words for alert rules and their values. A rule that no longer exists keeps the name it had. */
export function useAlertWords() {
  const t = useTranslations('AdminAlerts');
  const partWord = usePartWords();
  const { featureName } = useSwitchWords();
  return {
    ruleName: (rule: string) => (isAlertRule(rule) ? t(`rules.${rule}.name`) : rule),
    ruleHelp: (rule: string) => (isAlertRule(rule) ? t(`rules.${rule}.help`) : null),
    /** Names what a rule has looked at: which topic, which lock. */
    subjectName: (rule: string, subject: string) => {
      const kind = isAlertRule(rule) ? ALERT_RULES[rule].subject : 'none';
      if (kind === 'feature') return featureName(subject);
      return kind === 'topic' || kind === 'consumer' ? partWord(subject) : subject;
    },
    amount: (value: number, unit: AlertUnit) => t(`units.${unit}`, { value }),
  };
}
