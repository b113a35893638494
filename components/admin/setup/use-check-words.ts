'use client';

import { useTranslations } from 'next-intl';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { SetupCheck } from '@/lib/contract/shapes/preflight';
import type messages from '@/messages/en.json';

type Words = (typeof messages)['AdminSetup'];

/** Returns functions that say what a check found. */
export function useCheckWords() {
  const t = useTranslations('AdminSetup');
  const parts = useTranslations('AdminSales.preflight');
  const date = useLocalDate();
  const given = ({ id, values, found }: SetupCheck) => ({
    ...values,
    found: id === 'backup' && found !== null ? date(Date.parse(found)) : (found ?? ''),
  });
  return {
    /** Says what is wrong. The parts of the shop have the words that the checks before a sale have. */
    why(check: SetupCheck): string {
      const key = `${check.id}_${check.reason}`;
      const own = `why.${key}` as `why.${keyof Words['why']}`;
      if (t.has(own)) return t(own, given(check));
      const shared = `why.${key}` as 'why.page_missing';
      return parts.has(shared) ? parts(shared, check.values) : check.detail;
    },
    /** Says what the shop has; null: nothing to name. */
    found(check: SetupCheck): string | null {
      const key = `found.${check.id}` as `found.${keyof Words['found']}`;
      return t.has(key) ? t(key, given(check)) : null;
    },
  };
}
