import { cn } from '@/components/ui/cn';

const FALLBACK = '/products/parcel.svg';

/**
 * Shows a product's picture, 4:3 unless its `shape` says otherwise, without a layout shift while it loads. It is decorative: the title next to it says
 * what it shows.
 */
export function Picture({
  src,
  shape = 'aspect-4/3',
  className,
  isFirst = false,
}: {
  src: string | null;
  shape?: string;
  className?: string;
  isFirst?: boolean;
}) {
  return (
    // biome-ignore lint/performance/noImgElement: our pictures are SVG files that need no optimiser
    <img
      src={src ?? FALLBACK}
      alt=""
      width={800}
      height={600}
      decoding="async"
      loading={isFirst ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : 'auto'}
      className={cn(shape, 'w-full bg-sunken object-cover dark:brightness-90', className)}
    />
  );
}
