'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { request } from '@/components/api/request';
import { Card } from '@/components/ui/card';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import type { AdminLine, LineChange } from '@/lib/contract/shapes/line';
import { ActionButton } from '../kit/action-button';
import { Figures } from '../kit/figures';
import { useActionOf } from '../kit/use-action';
import { useMayInShop } from '../kit/use-shops';

const LINE = '/api/admin/sales/{saleId}/line';
const EVERY_MS = 2_000;
const MOST_PER_MINUTE = 1_000_000;

type Settings = Omit<LineChange, 'version'>;
type Steer = { change: Settings; former: Settings; says: Said };
type Said = 'rate' | 'hold' | 'goOn' | 'open' | 'unopen' | 'close' | 'reopen';

/** Shows the line of a sale with a waiting room, and steers it: its rate, hold, full opening, and the way in. */
export function LineCard({ saleId }: { saleId: string }) {
  const t = useTranslations('AdminLine');
  const client = useQueryClient();
  const mayAct = useMayInShop('settings');
  const queryKey = ['admin-line', saleId];
  const { data: line, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => request(`GET ${LINE}`, { params: { saleId }, signal }),
    refetchInterval: EVERY_MS,
  });
  const patch = async (change: Settings, version: number) => {
    const answer = await request(`PATCH ${LINE}`, { params: { saleId }, body: { ...change, version } });
    client.setQueryData(queryKey, answer);
    return answer;
  };
  const steer = useActionOf(({ change }: Steer) => patch(change, line?.version ?? 0), {
    says: ({ version }, { former, says }) => ({
      text: t(`done.${says}`),
      undo: { request: () => patch(former, version), text: t('done.undone') },
    }),
    refresh: () => client.invalidateQueries({ queryKey }),
  });
  if (!line) return error ? <Problem error={error} /> : null;
  const set = (change: Settings, says: Said) => {
    const former = Object.fromEntries(
      Object.keys(change).map((name) => [name, line[name as keyof Settings]]),
    ) as Settings;
    steer.mutate({ change, former, says });
  };
  return (
    <div className="grid gap-3 md:grid-cols-2">
      <LineFigures line={line} />
      {mayAct ? (
        <Card className="grid content-start gap-3 p-4">
          <h2 className="font-semibold">{t('steer')}</h2>
          <RateForm key={line.version} line={line} steer={steer} set={set} />
          <div className="flex flex-wrap gap-2">
            <ActionButton
              action={steer}
              onPress={() => set({ held: !line.held }, line.held ? 'goOn' : 'hold')}
            >
              {t(line.held ? 'goOn' : 'hold')}
            </ActionButton>
            <ActionButton
              action={steer}
              ask={
                line.opened
                  ? undefined
                  : { title: t('openTitle'), text: t('openText', { count: line.waiting }), isDangerous: true }
              }
              onPress={() => set({ opened: !line.opened }, line.opened ? 'unopen' : 'open')}
            >
              {t(line.opened ? 'unopen' : 'open')}
            </ActionButton>
            <ActionButton
              action={steer}
              onPress={() => set({ closed: !line.closed }, line.closed ? 'reopen' : 'close')}
            >
              {t(line.closed ? 'reopen' : 'close')}
            </ActionButton>
          </div>
          <p className="text-muted text-sm">{t('steerHelp')}</p>
          <Problem error={steer.error} />
        </Card>
      ) : null}
    </div>
  );
}

function LineFigures({ line }: { line: AdminLine }) {
  const t = useTranslations('AdminLine');
  const { endsInMinutes: ends } = line;
  const end = () => {
    if (line.waiting === 0) return t('endNow');
    return ends ? t('endIn', ends) : '–';
  };
  return (
    <Figures
      heading={t('heading')}
      help={line.early === null ? t('beforeStart') : t('afterStart', { early: line.early })}
      figures={[
        { label: t('waiting'), value: line.waiting },
        { label: t('inflow'), help: t('inflowHelp'), value: line.joinedLastMinute },
        { label: t('outflow'), help: t('outflowHelp'), value: line.admittedLastMinute },
        { label: t('admitted'), value: line.admitted },
        { label: t('entered'), help: t('enteredHelp'), value: line.entered },
        { label: t('gaveUp'), help: t('gaveUpHelp'), value: line.gaveUp },
        { label: t('end'), help: t('endHelp'), value: end() },
        { label: t('machines'), help: t('machinesHelp'), value: Math.round(line.machineRate * 60) },
      ]}
    />
  );
}

interface RateFormProps {
  line: AdminLine;
  steer: { isPending: boolean };
  set: (change: Settings, says: Said) => void;
}

/** Sets the rate; empty: as many as stock and machines allow. */
function RateForm({ line, steer, set }: RateFormProps) {
  const t = useTranslations('AdminLine');
  const [text, setText] = useState(line.perMinute === null ? '' : String(line.perMinute));
  const value = text.trim() === '' ? null : Number(text);
  const isWrong = value !== null && !(Number.isInteger(value) && value >= 1 && value <= MOST_PER_MINUTE);
  return (
    <div className="grid gap-2">
      <TextField
        label={t('rate')}
        hint={t('rateHint')}
        inputMode="numeric"
        value={text}
        error={isWrong ? t('rateWrong') : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <ActionButton
        className="justify-self-start"
        action={steer}
        disabled={isWrong || value === line.perMinute}
        onPress={() => set({ perMinute: value }, 'rate')}
      >
        {t('setRate')}
      </ActionButton>
    </div>
  );
}
