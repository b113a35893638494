/**
 * A process of its own that turns one uploaded picture into the files that the shop shows. It decodes what strangers made:
 * so it knows no secrets, runs at the lowest priority, and whoever starts it ends it in time (`shrink-picture.ts`).
 * Arguments: the picture, the folder for the files, the most pixels, and the widths. Prints what came of it as JSON.
 */
import { setPriority } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';

const LOWEST = 19;
/** By sharp's names of formats. Other loaders, SVG's among them, are never asked. */
const FORMATS = ['jpeg', 'png', 'webp', 'heif', 'gif'];
const LOADERS = ['JpegFile', 'PngFile', 'WebpFile', 'HeifFile', 'NsgifFile'];

const [, , picture, folder, maxPixels, ...widths] = process.argv;

try {
  setPriority(LOWEST);
} catch {
  // Not every system allows it.
}
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: LOADERS.map((loader) => `VipsForeignLoad${loader}`) });
sharp.concurrency(1);
sharp.cache(false);

/** Writes the files. @returns what the parent hears */
async function shrink() {
  // The header alone: its pixels are counted before any is decoded.
  const { format, width, height } = await sharp(picture, { limitInputPixels: false }).metadata();
  if (!FORMATS.includes(format)) return { status: 'not_a_picture' };
  if (width * height > Number(maxPixels)) return { status: 'too_many_pixels' };
  const whole = sharp(picture, { limitInputPixels: Number(maxPixels), failOn: 'error' }).autoOrient();
  const first = Math.max(...widths.map(Number));
  // Decoded once: the smaller ones are made from the largest. No metadata is kept unless it is asked for.
  const { data, info } = await whole
    .resize({ width: first, withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  for (const each of widths) {
    const made = sharp(data, { raw }).resize({ width: Number(each), withoutEnlargement: true });
    await made
      .clone()
      .webp({ quality: 82 })
      .toFile(join(folder, `${each}.webp`));
    await made
      .clone()
      .avif({ quality: 55, effort: 3 })
      .toFile(join(folder, `${each}.avif`));
  }
  return { status: 'made', width: info.width, height: info.height };
}

// What can't be decoded is the uploader's to mend; what can't be written is not.
const result = await shrink().catch((error) =>
  /ENOSPC|EACCES|EROFS|unable to open for write|No space left/i.test(String(error))
    ? { status: 'failed', error: String(error) }
    : { status: 'not_a_picture' },
);
process.stdout.write(JSON.stringify(result));
