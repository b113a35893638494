'use client';

import { useTranslations } from 'next-intl';
import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { Link } from '@/i18n/navigation';
import type { SetupCheck } from '@/lib/contract/shapes/preflight';
import type { SetupCheckId, SetupTrial } from '@/lib/contract/words/preflight';
import { TrialButtons } from './trial-buttons';
import { useCheckWords } from './use-check-words';

/** The pages on which an admin does what is missing. */
const PAGES: Partial<Record<SetupCheckId, string>> = {
  approvers: '/admin/users',
  second_factor: '/admin/users',
};

/** Shows a check that failed: what is wrong, and the one thing to do. */
export function CheckCard({ check, trials }: { check: SetupCheck; trials: readonly SetupTrial[] }) {
  const t = useTranslations('AdminSetup');
  const { why } = useCheckWords();
  const { id, severity } = check;
  const page = PAGES[id];
  return (
    <Card className="grid content-start gap-2 p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-semibold text-lg">{t(`checks.${id}.name`)}</h3>
        <Badge tone={severity === 'stop' ? 'danger' : 'warning'}>{t(`states.${severity}`)}</Badge>
      </div>
      <p className="wrap-anywhere text-muted">{why(check)}</p>
      <p>
        {t.rich(`checks.${id}.do`, {
          code: (text) => (
            <code className="wrap-anywhere rounded bg-sunken px-1.5 py-0.5 text-sm">{text}</code>
          ),
        })}
        {page ? (
          <>
            {' '}
            <Link href={page} prefetch={false} className="font-semibold underline underline-offset-4">
              {t('toAccounts')}
            </Link>
          </>
        ) : null}
      </p>
      <TrialButtons id={id} trials={trials} />
    </Card>
  );
}
