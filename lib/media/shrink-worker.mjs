/**
 * Turns one uploaded picture into the files that the shop shows. It has no secrets and the
 * lowest priority, and its parent ends it in time (`shrink-picture.ts`). Arguments: the most pixels, and the widths. Reads
 * the picture from stdin. Writes a line of JSON to stdout, `status` and the `sizes` of the files in bytes, then the files.
 */
import { setPriority } from 'node:os';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

const LOWEST = 19;
/** By sharp's names of formats. Other loaders, SVG's among them, are switched off. */
const FORMATS = ['jpeg', 'png', 'webp', 'heif'];
const LOADERS = ['JpegBuffer', 'PngBuffer', 'WebpBuffer', 'HeifBuffer'];

const [, , maxPixels, ...widths] = process.argv;
const limitInputPixels = Number(maxPixels);

try {
  setPriority(LOWEST);
} catch {
  // Not every system allows it.
}
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: LOADERS.map((loader) => `VipsForeignLoad${loader}`) });
sharp.concurrency(1);
sharp.cache(false);

/** Makes the files: WebP and AVIF in each width, upright, in sRGB, without metadata. */
async function shrink(picture) {
  // Reads the header alone: the pixels are counted before any is decoded.
  const { format, width, height } = await sharp(picture, { limitInputPixels: false }).metadata();
  if (!FORMATS.includes(format)) return { status: 'not_a_picture' };
  if (width * height > limitInputPixels) return { status: 'too_many_pixels' };
  // Decoded once: the smaller ones are made from the largest.
  const { data, info } = await sharp(picture, { limitInputPixels, failOn: 'error' })
    .autoOrient()
    .resize({ width: Math.max(...widths.map(Number)), withoutEnlargement: true })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  const files = [];
  for (const each of widths) {
    const made = sharp(data, { raw }).resize({ width: Number(each), withoutEnlargement: true });
    files.push([`${each}.webp`, await made.clone().webp({ quality: 82 }).toBuffer()]);
    files.push([`${each}.avif`, await made.clone().avif({ quality: 55, effort: 3 }).toBuffer()]);
  }
  return { status: 'made', files };
}

// A picture that can't be decoded is the uploader's to mend.
const { status, files = [] } = await shrink(await buffer(process.stdin)).catch(() => ({
  status: 'not_a_picture',
}));
const head = JSON.stringify({ status, sizes: files.map(([name, { length }]) => [name, length]) });
process.stdout.write(Buffer.concat([Buffer.from(`${head}\n`), ...files.map(([, bytes]) => bytes)]));
