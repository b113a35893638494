import { useTranslations } from 'next-intl';
import { Picture } from '@/components/sale/picture';
import { TextField } from '@/components/ui/field';
import type { Picture as UploadedOne } from '@/lib/contract/shapes/picture';
import { MAX_ALT_LENGTH, mediaPath } from '@/lib/contract/words/media';
import { RowButtons, type RowButtonsProps } from '../kit/row-buttons';

interface PictureRowProps extends Pick<RowButtonsProps, 'isLast' | 'onMove' | 'onRemove'> {
  picture: UploadedOne;
  /** From 1. */
  number: number;
  onAlt: (alt: string) => void;
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
        <RowButtons
          name={t('one', { number })}
          isFirst={number === 1}
          isLast={isLast}
          onMove={onMove}
          onRemove={onRemove}
        />
      </div>
    </li>
  );
}
