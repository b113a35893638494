'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useLocalDate } from '@/components/ui/use-local-date';
import {
  isSideFeature,
  type OffBy,
  type SideFeature,
  type SwitchMode,
} from '@/lib/contract/words/side-feature';

interface Off {
  offBy: OffBy | null;
  /** Epoch ms. */
  since: number | null;
  /** The e-mail address of the person who switched it off. */
  by: string | null;
  goesAt: number | null;
}

/** Returns the words for side features and how they stand. */
export function useSwitchWords() {
  const t = useTranslations('AdminSwitchboard');
  const locale = useLocale();
  const localDate = useLocalDate();
  const shareWord = (share: number) =>
    new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(share);
  return {
    /** A name of another release is shown as it is. */
    featureName: (feature: string) => (isSideFeature(feature) ? t(`features.${feature}.name`) : feature),
    /** Explains what people miss while the feature is off. */
    offHelp: (feature: SideFeature) => t(`features.${feature}.off`),
    shareWord,
    modeWord: (mode: SwitchMode, goesAt: number | null) =>
      mode !== 'by_load'
        ? t(`modes.${mode}`)
        : goesAt === null
          ? t('modes.by_load_never')
          : t('modes.by_load', { share: shareWord(goesAt) }),
    sinceWords: ({ offBy, since, by, goesAt }: Off) => {
      const time = since === null ? '' : localDate(since, 'short');
      if (offBy === 'mode') return t('offByMode', { time, who: by ?? t('somebody') });
      return t('offByLoad', { time, share: goesAt === null ? '' : shareWord(goesAt) });
    },
  };
}
