'use client';

import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { clockStore } from '@/components/clock/clock-store';
import { Badge } from '@/components/ui/badge';
import { LINK } from '@/components/ui/link-style';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import { Link } from '@/i18n/navigation';
import type { ListedHit, RiskRule } from '@/lib/contract/shapes/risk';
import { ActionButton } from '../kit/action-button';
import { useAction } from '../kit/use-action';
import { useRuleWords } from './use-rule-words';

interface HitRowProps {
  hit: ListedHit;
  /** The rule as it is now; undefined if it was deleted. */
  rule: RiskRule | undefined;
  mayRelease: boolean;
  onChange: () => void;
}

/** Shows one hit: who was hit, what was counted, and what was done. Staff can release it. */
export function HitRow({ hit, rule, mayRelease, onChange }: HitRowProps) {
  const t = useTranslations('AdminRisk');
  const done = useTranslations('AdminDone');
  const localDate = useLocalDate();
  const { hitId, kind, value, action, isDryRun, saleId, createdAt, expiresAt, releasedAt } = hit;
  const who = hit.email ?? value;
  const release = useAction('POST /api/admin/risk/hits/{hitId}/release', {
    says: () => ({
      text: t(`released.${action.kind}`, { value: who }),
      undo:
        action.kind === 'block'
          ? {
              request: () =>
                request('POST /api/admin/blocks', { body: { kind, value, reason: hit.ruleName, expiresAt } }),
              text: done('blockBack', { value: who }),
            }
          : undefined,
    }),
    refresh: onChange,
  });
  const isOver = expiresAt !== null && expiresAt <= clockStore().now();
  return (
    <tr>
      <th scope="row">
        <span className="block text-muted text-sm">{t(`subjects.${kind}`)}</span>
        <span className="break-all font-medium">{who}</span>
      </th>
      <td>
        <Counted hit={hit} rule={rule} />
      </td>
      <td>
        <Deed hit={hit} isOver={isOver} />
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
          <ActionButton
            action={release}
            onPress={() => release.mutate({ params: { hitId } })}
            aria-label={t('releaseNamed', { value: who })}
          >
            {t('release')}
          </ActionButton>
        )}
        <Problem isSmall error={release.error} />
      </td>
    </tr>
  );
}

/** Says which rule hit, and what it had counted. The rule may be another version now, which counts something else. */
function Counted({ hit, rule }: Pick<HitRowProps, 'hit' | 'rule'>) {
  const t = useTranslations('AdminRisk');
  const { duration } = useRuleWords();
  const { count, threshold, windowSec } = hit.counters;
  const time = duration(windowSec);
  const isSameVersion = rule?.version === hit.ruleVersion;
  return (
    <>
      <span className="block font-medium">
        <bdi>{hit.ruleName}</bdi>
      </span>
      <span className="block tabular-nums">
        {isSameVersion
          ? t('countedOf', { what: t(`counts.${rule.definition.metric}`, { count }), time, threshold })
          : t('countedAs', { count, time, threshold })}
      </span>
      {isSameVersion ? null : (
        <span className="block text-muted text-sm">
          {rule ? t('byVersion', { version: hit.ruleVersion, now: rule.version }) : t('ruleGone')}
        </span>
      )}
    </>
  );
}

/** Says what was done to those who were hit, and until when. */
function Deed({ hit, isOver }: { hit: ListedHit; isOver: boolean }) {
  const t = useTranslations('AdminRisk');
  const localDate = useLocalDate();
  const words = useRuleWords();
  const { kind, value, action, isDryRun, expiresAt, releasedAt } = hit;
  const end = () => {
    if (releasedAt !== null) return t('releasedAt', { time: localDate(releasedAt, 'short') });
    if (expiresAt === null || isDryRun) return null;
    return t(isOver ? 'endedAt' : 'until', { time: localDate(expiresAt, 'short') });
  };
  const block = new URLSearchParams({ state: 'all', kind, value });
  return (
    <>
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
    </>
  );
}
