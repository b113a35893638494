import { useTranslations } from 'next-intl';
import type { Picture as UploadedOne } from '@/lib/contract/shapes/picture';
import { mediaPath } from '@/lib/contract/words/media';
import { Picture } from './picture';
import { UploadedPicture } from './uploaded-picture';

const SHAPE = 'aspect-16/10 sm:aspect-4/3';
/** The page has two columns from 1024 px on. */
const SIZES = '(min-width: 1024px) 600px, 100vw';

interface GalleryProps {
  /** Shown if the product has no uploaded pictures. */
  imageUrl: string | null;
  pictures: UploadedOne[];
}

/**
 * Shows a product's pictures. Several stand in a row that snaps, above a small one of each that leads to it. It works
 * without scripts, and costs the page none.
 */
export function Gallery({ imageUrl, pictures }: GalleryProps) {
  const t = useTranslations('Gallery');
  const [first, ...others] = pictures;
  if (!first) return <Picture src={imageUrl} isFirst shape={SHAPE} className="rounded-card" />;
  if (others.length === 0)
    return <UploadedPicture picture={first} isFirst sizes={SIZES} shape={SHAPE} className="rounded-card" />;
  return (
    <section aria-label={t('label')} className="grid min-w-0 gap-3">
      <ol
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it once it has the focus
        tabIndex={0}
        aria-label={t('row')}
        className="flex snap-x snap-mandatory overflow-x-auto rounded-card motion-safe:scroll-smooth"
      >
        {pictures.map((picture, index) => (
          <li
            key={picture.hash}
            id={`picture-${index + 1}`}
            data-hash={picture.hash}
            className="w-full shrink-0 scroll-mt-32 snap-start"
          >
            <UploadedPicture picture={picture} isFirst={index === 0} sizes={SIZES} shape={SHAPE} />
          </li>
        ))}
      </ol>
      <ol aria-label={t('choose')} className="flex flex-wrap gap-2">
        {pictures.map(({ hash, alt }, index) => (
          <li key={hash} className="w-16">
            <a
              href={`#picture-${index + 1}`}
              aria-label={alt ? t('oneNamed', { number: index + 1, alt }) : t('one', { number: index + 1 })}
              className="block overflow-hidden rounded-lg border border-line hover:border-control"
            >
              <Picture src={mediaPath(hash, 320, 'webp')} />
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}
