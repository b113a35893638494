'use client';

import { useTranslations } from 'next-intl';
import { type AlertUnit, isAlertRule } from '@/lib/alert/rules';

/** How rules and their values are said. A rule that is no more keeps the name it had. */
export function useAlertWords() {
  const t = useTranslations('DeskAlerts');
  return {
    ruleName: (rule: string) => (isAlertRule(rule) ? t(`rules.${rule}.name`) : rule),
    ruleHelp: (rule: string) => (isAlertRule(rule) ? t(`rules.${rule}.help`) : null),
    amount: (value: number, unit: AlertUnit) => t(`units.${unit}`, { value }),
  };
}
