'use client';

import { useLocale, useTranslations } from 'next-intl';
import { formatDuration } from '@/components/ui/format-duration';
import type { RuleAction, RuleDefinition } from '@/lib/contract/shapes/risk';

/** Puts in words what rules do. */
export function useRuleWords() {
  const t = useTranslations('AdminRisk');
  const locale = useLocale();
  const duration = (seconds: number) => formatDuration(seconds, locale);
  const action = (rule: RuleAction, subject: RuleDefinition['subject']) => {
    const who = t(`one.${subject}`);
    switch (rule.kind) {
      case 'block':
        return t('does.block', { who, time: duration(rule.forSec) });
      case 'limit':
        return t('does.limit', { who, count: rule.perMinute, time: duration(rule.forSec) });
      case 'challenge':
        return t('does.challenge', { who, time: duration(rule.forSec) });
      case 'work':
        return t('does.work', { who, tries: 2 ** rule.bits });
      case 'flag':
        return t('does.flag');
    }
  };
  const sentence = (definition: RuleDefinition) => {
    const { metric, subject, windowSec, comparison, threshold } = definition;
    return t(`says.${comparison}`, {
      what: t(`counts.${metric}`, { count: threshold }),
      who: t(`of.${subject}`),
      time: duration(windowSec),
      deed: action(definition.action, subject),
    });
  };
  return { action, sentence, duration };
}
