import { cn } from '@/components/ui/cn';
import type { Picture } from '@/lib/contract/shapes/picture';
import { mediaPath, PICTURE_WIDTHS } from '@/lib/contract/words/media';

interface UploadedPictureProps {
  picture: Picture;
  /** How wide it is shown, as for the attribute `sizes`. */
  sizes: string;
  shape: string;
  className?: string;
  /** It is what a visitor sees first. */
  isFirst?: boolean;
}

/** Shows a picture that the shop has stored, in the size and format that suits the screen, without a layout shift. */
export function UploadedPicture({ picture, sizes, shape, className, isFirst = false }: UploadedPictureProps) {
  const { hash, alt } = picture;
  const files = (format: 'webp' | 'avif') =>
    PICTURE_WIDTHS.map((width) => `${mediaPath(hash, width, format)} ${width}w`).join(', ');
  return (
    <picture>
      <source type="image/avif" srcSet={files('avif')} sizes={sizes} />
      <img
        src={mediaPath(hash, 640, 'webp')}
        srcSet={files('webp')}
        sizes={sizes}
        alt={alt}
        width={800}
        height={600}
        decoding="async"
        loading={isFirst ? 'eager' : 'lazy'}
        fetchPriority={isFirst ? 'high' : 'auto'}
        className={cn(shape, 'w-full bg-sunken object-cover dark:brightness-90', className)}
      />
    </picture>
  );
}
