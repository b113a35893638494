'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { Card } from '@/components/ui/card';
import { TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { CheckedOrder } from '@/lib/decision-log/proof/check-order-file';
import { NotProven, ProofFacts } from './proof-facts';

type Proven = Extract<CheckedOrder, { ok: true }>;

/** Says what the list of a line or draw proves, finds the own entry in it, and says what it can't prove. */
export function ProvenOrder({ proven }: { proven: Proven }) {
  const t = useTranslations('Prove');
  const locale = useLocale();
  const localDate = useLocalDate();
  const { head, file } = proven;
  const { shuffle, entries, seedHash } = file;
  const number = (value: number) => new Intl.NumberFormat(locale).format(value);
  const beacon = () => {
    if (shuffle.beacon !== null) return t('list.withBeacon', { beacon: shuffle.beacon });
    return shuffle.beaconUrl ? t('list.beaconSilent', { url: shuffle.beaconUrl }) : t('list.noBeacon');
  };
  const facts = [
    [t('sale'), head.sale],
    [t('list.entries'), number(entries.length)],
    [t('list.seedHash'), seedHash],
    [t('size'), number(head.size)],
    [t('signedAt'), localDate(head.at)],
    [t('root'), head.root],
    [t('key'), head.keyId],
  ] as const;
  return (
    <div className="grid gap-6">
      <Notice tone="success">
        <p className="font-semibold">{t('list.proven')}</p>
        <p>{t('list.provenText', { count: entries.length })}</p>
        <p className="break-words">{beacon()}</p>
      </Notice>
      <OwnEntry entries={entries} />
      <Card className="p-5 sm:p-6">
        <ProofFacts facts={facts} />
      </Card>
      <NotProven own={t('list.cannotLast')} />
    </div>
  );
}

/** Finds the entry of whoever types the own name in the list. */
function OwnEntry({ entries }: { entries: Proven['file']['entries'] }) {
  const t = useTranslations('Prove.list');
  const locale = useLocale();
  const [name, setName] = useState('');
  const wanted = name.trim();
  const found = wanted ? entries.filter(({ pseudonym }) => pseudonym === wanted) : [];
  const number = (value: number) => new Intl.NumberFormat(locale).format(value);
  return (
    <Card className="grid gap-3 p-5 sm:p-6">
      <h2 className="font-semibold text-xl">{t('own')}</h2>
      <TextField
        label={t('ownLabel')}
        value={name}
        maxLength={100}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
      <div aria-live="polite">
        {found.map((entry) => (
          <p key={entry.number}>
            {t(entry.passedOver ? 'ownPassed' : 'ownFound', {
              number: number(entry.number + 1),
              place: number(entry.place + 1),
              weight: entry.weight,
            })}
          </p>
        ))}
        {wanted && found.length === 0 ? <p>{t('ownMissing')}</p> : null}
      </div>
    </Card>
  );
}
