'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { clockStore } from '@/components/clock/clock-store';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { useLocalDate } from '@/components/ui/use-local-date';
import { useProblemText } from '@/components/ui/use-problem-text';
import { Link } from '@/i18n/navigation';
import type { ListedHit, RiskRule } from '@/lib/contract/shapes/risk';
import { useTell } from '../kit/use-tell';
import { useRuleWords } from './use-rule-words';

const LINK = 'inline-flex min-h-11 items-center underline underline-offset-4';

interface HitRowProps {
  hit: ListedHit;
  /** As it is now; none if it was deleted. */
  rule: RiskRule | undefined;
  mayRelease: boolean;
  onChange: () => void;
}

/** One hit: who, what was counted, what was done, and the way to take it back. */
export function HitRow({ hit, rule, mayRelease, onChange }: HitRowProps) {
  const t = useTranslations('AdminRisk');
  const done = useTranslations('AdminDone');
  const localDate = useLocalDate();
  const problemText = useProblemText();
  const words = useRuleWords();
  const { hitId, kind, value, counters, action, isDryRun, saleId, createdAt, expiresAt, releasedAt } = hit;
  const who = hit.email ?? value;
  const tell = useTell(onChange);
  const release = useMutation({
    mutationFn: () => request('POST /api/admin/risk/hits/{hitId}/release', { params: { hitId } }),
    onSuccess: () => {
      onChange();
      const body = { kind, value, reason: hit.ruleName, expiresAt };
      tell(
        t(`released.${action.kind}`, { value: who }),
        action.kind === 'block'
          ? {
              request: () => request('POST /api/admin/blocks', { body }),
              text: done('blockBack', { value: who }),
            }
          : undefined,
      );
    },
  });
  const isOver = expiresAt !== null && expiresAt <= clockStore().now();
  const end = () => {
    if (releasedAt !== null) return t('releasedAt', { time: localDate(releasedAt, 'short') });
    if (expiresAt === null || isDryRun) return null;
    return t(isOver ? 'endedAt' : 'until', { time: localDate(expiresAt, 'short') });
  };
  const { count, threshold, windowSec } = counters;
  // What it counts is the rule's; another version may count something else.
  const isSameVersion = rule?.version === hit.ruleVersion;
  const block = new URLSearchParams({ state: 'all', kind, value });
  return (
    <tr>
      <th scope="row">
        <span className="block text-muted text-sm">{t(`subjects.${kind}`)}</span>
        <span className="break-all font-medium">{who}</span>
      </th>
      <td>
        <span className="block font-medium">{hit.ruleName}</span>
        <span className="block tabular-nums">
          {isSameVersion
            ? t('countedOf', {
                what: t(`counts.${rule.definition.metric}`, { count }),
                time: words.duration(windowSec),
                threshold,
              })
            : t('countedAs', { count, time: words.duration(windowSec), threshold })}
        </span>
        {isSameVersion ? null : (
          <span className="block text-muted text-sm">
            {rule ? t('byVersion', { version: hit.ruleVersion, now: rule.version }) : t('ruleGone')}
          </span>
        )}
      </td>
      <td>
        {isDryRun ? <Badge tone="warning">{t('states.dry_run')}</Badge> : null}
        <span className="block first-letter:uppercase">
          {isDryRun ? t('wouldHave') : words.action(action, kind)}
        </span>
        <span className="block text-muted text-sm tabular-nums">{end()}</span>
        {action.kind === 'block' && !isDryRun ? (
          <Link href={`/admin/blocks?${block}`} prefetch={false} className={LINK}>
            {t('toBlock')}
          </Link>
        ) : null}
      </td>
      <td className="whitespace-nowrap tabular-nums">
        <span className="block">{localDate(createdAt, 'short')}</span>
        {saleId === null ? null : (
          <Link href={`/admin/sales/${saleId}`} prefetch={false} className={LINK}>
            {t('toSale')}
          </Link>
        )}
      </td>
      <td>
        {!mayRelease || isDryRun || isOver || releasedAt !== null || action.kind === 'flag' ? null : (
          <Button
            isBusy={release.isPending}
            onClick={() => release.mutate()}
            aria-label={t('releaseNamed', { value: who })}
          >
            {t('release')}
          </Button>
        )}
        {release.error ? (
          <p role="alert" className="text-danger text-sm">
            {problemText(release.error)}
          </p>
        ) : null}
      </td>
    </tr>
  );
}
