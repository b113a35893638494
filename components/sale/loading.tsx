import { useTranslations } from 'next-intl';

/** Stands for a part of the page that is being fetched. */
export function Loading({ id }: { id?: string }) {
  const t = useTranslations('Common');
  return (
    <p id={id} className="text-muted">
      {t('loading')}
    </p>
  );
}
