import { useTranslations } from 'next-intl';
import { TextField } from '@/components/ui/field';
import { LANGUAGE_NAMES, routing } from '@/i18n/routing';
import type { SaleTitles } from '@/lib/contract/shapes/by-language';

interface TitleFieldsProps {
  /** As typed. */
  titles: SaleTitles;
  onChange: (titles: SaleTitles) => void;
}

/** Asks for a sale's title in each language; empty: the one for all. */
export function TitleFields({ titles, onChange }: TitleFieldsProps) {
  const t = useTranslations('AdminSales');
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      {routing.locales.map((locale) => (
        <TextField
          key={locale}
          name={`titles.${locale}`}
          label={t('titleIn', { language: LANGUAGE_NAMES[locale] })}
          hint={t('titleInHint')}
          lang={locale}
          maxLength={200}
          value={titles[locale] ?? ''}
          onChange={({ target }) => onChange({ ...titles, [locale]: target.value })}
        />
      ))}
    </div>
  );
}
