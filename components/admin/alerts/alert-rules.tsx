'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { request } from '@/components/api/request';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import type { AlertRuleView } from '@/lib/contract/shapes/alert';
import { ActionButton } from '../kit/action-button';
import { useAction } from '../kit/use-action';
import { useAlertWords } from './use-alert-words';

/** Lists every alert rule with its threshold. Staff can change the threshold or switch the rule off. */
export function AlertRules({ mayEdit }: { mayEdit: boolean }) {
  const t = useTranslations('AdminAlerts');
  const common = useTranslations('Common');
  const { data, error, refetch } = useQuery({
    queryKey: ['admin-alerts', 'rules'],
    queryFn: ({ signal }) => request('GET /api/admin/alerts/rules', { signal }),
  });
  return (
    <section aria-label={t('rulesHeading')} className="grid gap-4">
      <h2 className="font-semibold text-xl">{t('rulesHeading')}</h2>
      <p className="text-muted">{t('rulesIntro')}</p>
      <Problem error={error} />
      {data || error ? null : <p className="text-muted">{common('loading')}</p>}
      {data ? (
        <ul className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
          {data.rules.map((rule) => (
            <li key={rule.id} className="grid">
              {/* The key makes the form of a new version start from the new values. */}
              <Rule key={rule.version} rule={rule} mayEdit={mayEdit} onChange={() => void refetch()} />
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

type Setting = Pick<AlertRuleView, 'threshold' | 'enabled'>;

interface RuleProps {
  rule: AlertRuleView;
  mayEdit: boolean;
  onChange: () => void;
}

function Rule({ rule, mayEdit, onChange }: RuleProps) {
  const t = useTranslations('AdminAlerts');
  const done = useTranslations('AdminDone');
  const { ruleName, ruleHelp, amount } = useAlertWords();
  const { id, version, unit, threshold, defaultThreshold, forSec, enabled } = rule;
  const [text, setText] = useState(String(threshold));
  const from = { threshold, enabled };
  const words = (setting: Setting) =>
    done(setting.enabled ? 'alertRule.on' : 'alertRule.off', { amount: amount(setting.threshold, unit) });
  const edit = useAction('PATCH /api/admin/alerts/rules', {
    says: (now) => ({
      text: words(now),
      undo: {
        request: () =>
          request('PATCH /api/admin/alerts/rules', { body: { ruleId: id, version: now.version, ...from } }),
        text: words(from),
      },
    }),
    refresh: onChange,
  });
  const set = (to: Partial<Setting>) => edit.mutate({ body: { ruleId: id, version, ...to } });
  const wanted = text.trim() === '' ? Number.NaN : Number(text);
  const isSound = Number.isFinite(wanted) && wanted >= 0;
  return (
    <Card className="grid content-between gap-4 p-5">
      <div className="grid gap-2">
        <div className="flex flex-wrap items-baseline gap-3">
          <h3 className="font-semibold">{ruleName(id)}</h3>
          {enabled ? null : <Badge tone="warning">{t('off')}</Badge>}
        </div>
        <p className="text-muted text-sm">
          {ruleHelp(id)} {forSec > 0 ? t('forSec', { count: forSec }) : t('atOnce')}
        </p>
      </div>
      <form
        method="post"
        aria-label={ruleName(id)}
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (isSound) set({ threshold: wanted });
        }}
      >
        <TextField
          label={t('thresholdOf', { unit: t(`unitNames.${unit}`) })}
          hint={t('usual', { amount: amount(defaultThreshold, unit) })}
          error={isSound ? null : t('notANumber')}
          inputMode="decimal"
          maxLength={12}
          value={text}
          readOnly={!mayEdit}
          onChange={({ target }) => setText(target.value)}
        />
        {mayEdit ? (
          <div className="flex flex-wrap gap-3">
            <Button type="submit" isBusy={edit.isPending} disabled={!isSound || wanted === threshold}>
              {t('save')}
            </Button>
            <ActionButton action={edit} onPress={() => set({ enabled: !enabled })}>
              {enabled ? t('switchOff') : t('switchOn')}
            </ActionButton>
          </div>
        ) : null}
        <Problem isSmall error={edit.error} />
      </form>
    </Card>
  );
}
