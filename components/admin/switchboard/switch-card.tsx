'use client';

import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { Problem } from '@/components/ui/problem';
import { useKeptFocus } from '@/components/ui/use-kept-focus';
import type { SideSwitch } from '@/lib/contract/shapes/switchboard';
import { SWITCH_MODES, type SwitchMode } from '@/lib/contract/words/side-feature';
import { ActionButton } from '../kit/action-button';
import { useAction } from '../kit/use-action';
import { useSwitchWords } from './use-switch-words';

interface SwitchCardProps {
  one: SideSwitch;
  mayEdit: boolean;
  onChange: () => void;
}

/** Shows a side feature: whether it is on, why not, and what its being off means; lets operators switch it. */
export function SwitchCard({ one, mayEdit, onChange }: SwitchCardProps) {
  const t = useTranslations('AdminSwitchboard');
  const done = useTranslations('AdminDone');
  const { featureName, offHelp, modeWord, sinceWords } = useSwitchWords();
  const { feature, mode, isOn, offBy, since, goesAt, changedByEmail, version } = one;
  const name = featureName(feature);
  const change = (to: SwitchMode, from: number) =>
    request('PATCH /api/admin/switchboard/{feature}', {
      params: { feature },
      body: { mode: to, version: from },
    });
  const act = useAction('PATCH /api/admin/switchboard/{feature}', {
    says: (now) => ({
      text: done(`switch.${now.mode}`, { name }),
      undo: { request: () => change(mode, now.version), text: done(`switch.${mode}`, { name }) },
    }),
    refresh: onChange,
  });
  const set = (to: SwitchMode) => act.mutate({ params: { feature }, body: { mode: to, version } });
  // The button that was pressed is replaced by another; this keeps the focus there.
  const focus = useKeptFocus(mode);
  return (
    <Card className="grid content-between gap-4 p-5">
      <div className="grid gap-2">
        <div className="flex flex-wrap items-baseline gap-3">
          <h3 className="font-semibold">{name}</h3>
          <Badge tone={isOn ? 'success' : 'warning'}>{t(isOn ? 'on' : 'off')}</Badge>
        </div>
        {isOn ? null : <p>{sinceWords({ offBy, since, by: changedByEmail, goesAt })}</p>}
        <p className="text-muted text-sm">{offHelp(feature)}</p>
        <p className="text-muted text-sm">{modeWord(mode, goesAt)}</p>
      </div>
      {mayEdit ? (
        <div {...focus} tabIndex={-1} className="flex flex-wrap gap-2 outline-none">
          {SWITCH_MODES.filter((other) => other !== mode).map((other) => (
            <ActionButton
              key={other}
              action={act}
              tone={other === 'off' ? 'danger' : 'quiet'}
              aria-label={t(`setLabel.${other}`, { name })}
              ask={
                other === 'off'
                  ? { title: t('askOff', { name }), text: offHelp(feature), confirmLabel: t('set.off') }
                  : undefined
              }
              onPress={() => set(other)}
            >
              {t(`set.${other}`)}
            </ActionButton>
          ))}
        </div>
      ) : null}
      <Problem isSmall error={act.error} />
    </Card>
  );
}
