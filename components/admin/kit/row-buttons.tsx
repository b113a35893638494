import { useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';

export interface RowButtonsProps {
  /** The row's name, such as "picture 2". */
  name: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

/** Moves or removes a row of a list whose order counts. */
export function RowButtons({ name, isFirst, isLast, onMove, onRemove }: RowButtonsProps) {
  const t = useTranslations('Admin.row');
  return (
    <div className="flex flex-wrap gap-2">
      <Button aria-label={t('earlierOne', { name })} disabled={isFirst} onClick={() => onMove(-1)}>
        {t('earlier')}
      </Button>
      <Button aria-label={t('laterOne', { name })} disabled={isLast} onClick={() => onMove(1)}>
        {t('later')}
      </Button>
      <Button tone="plain" aria-label={t('removeOne', { name })} onClick={onRemove}>
        {t('remove')}
      </Button>
    </div>
  );
}
