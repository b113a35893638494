import { useTranslations } from 'next-intl';
import { Picture } from '@/components/sale/picture';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import type { Picture as UploadedOne } from '@/lib/contract/shapes/picture';
import { MAX_ALT_LENGTH, mediaPath } from '@/lib/contract/words/media';

interface PictureRowProps {
  picture: UploadedOne;
  /** From 1. */
  number: number;
  isLast: boolean;
  onAlt: (alt: string) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

/** Shows one of a product's pictures, asks what it shows, and moves or removes it. */
export function PictureRow({ picture, number, isLast, onAlt, onMove, onRemove }: PictureRowProps) {
  const t = useTranslations('AdminProducts.picture');
  return (
    <li className="grid gap-3 rounded-card border border-line p-3 sm:grid-cols-[10rem_1fr]">
      <div className="w-full max-w-60">
        <Picture src={mediaPath(picture.hash, 320, 'webp')} className="rounded-lg" />
      </div>
      <div className="grid min-w-0 content-start gap-2">
        <TextField
          label={t('alt', { number })}
          hint={number === 1 ? t('altHint') : undefined}
          maxLength={MAX_ALT_LENGTH}
          value={picture.alt}
          onChange={({ target }) => onAlt(target.value)}
        />
        <div className="flex flex-wrap gap-2">
          <Button aria-label={t('earlierOne', { number })} disabled={number === 1} onClick={() => onMove(-1)}>
            {t('earlier')}
          </Button>
          <Button aria-label={t('laterOne', { number })} disabled={isLast} onClick={() => onMove(1)}>
            {t('later')}
          </Button>
          <Button tone="plain" aria-label={t('removeOne', { number })} onClick={onRemove}>
            {t('remove')}
          </Button>
        </div>
      </div>
    </li>
  );
}
