'use client';

import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Problem } from '@/components/ui/problem';
import type { SetupCheckId, SetupTrial } from '@/lib/contract/words/preflight';
import { ActionButton } from '../kit/action-button';
import { useActionOf } from '../kit/use-action';

const TRIALS: Partial<Record<SetupCheckId, SetupTrial>> = { mail: 'mail', alerts: 'alert_webhook' };
/** A mail server or webhook that hangs is given up before this. */
const WITHIN_MS = 90_000;

/** A button that tries out what a check is about, where that makes sense, and what became of it. */
export function TrialButtons({ id, trials }: { id: SetupCheckId; trials: readonly SetupTrial[] }) {
  const what = TRIALS[id];
  return what && trials.includes(what) ? <Trial what={what} /> : null;
}

function Trial({ what }: { what: SetupTrial }) {
  const t = useTranslations('AdminSetup.trials');
  const act = useActionOf(() =>
    request('POST /api/admin/setup/test', { body: { what }, timeoutMs: WITHIN_MS }),
  );
  const { data } = act;
  return (
    <div className="mt-1 grid justify-items-start gap-2">
      <ActionButton action={act} onPress={() => act.mutate()}>
        {t(what)}
      </ActionButton>
      <Problem error={act.error} />
      <p role="status" className="wrap-anywhere">
        {data ? t(data.outcome, { to: data.to, detail: data.detail ?? '' }) : null}
      </p>
    </div>
  );
}
