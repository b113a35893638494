'use client';

import { useTranslations } from 'next-intl';
import { Badge } from '@/components/ui/badge';
import type { SetupCheck } from '@/lib/contract/shapes/preflight';
import type { SetupTrial } from '@/lib/contract/words/preflight';
import { TrialButtons } from './trial-buttons';
import { useCheckWords } from './use-check-words';

/** Shows a check that passed, and what the shop has. */
export function CheckLine({ check, trials }: { check: SetupCheck; trials: readonly SetupTrial[] }) {
  const t = useTranslations('AdminSetup');
  const { found } = useCheckWords();
  const has = found(check);
  return (
    <li className="grid grid-cols-[6rem_1fr] gap-x-3">
      <div>
        <Badge tone="success">{t('states.ok')}</Badge>
      </div>
      <div className="grid gap-1">
        <p>{t(`checks.${check.id}.name`)}</p>
        {has === null ? null : <p className="wrap-anywhere text-muted">{has}</p>}
        <TrialButtons id={check.id} trials={trials} />
      </div>
    </li>
  );
}
