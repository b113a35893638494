import 'server-only';
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { between, fraction, times } from '../random';
import { PICTURE } from './geometry';

/** How coarse the grain is, in steps of a colour's 256; a power of two. */
const GRAIN = 16;

/** Makes colours that go together, around one picked at random. */
const colourNear = (hue: number, lightness: number) =>
  `hsl(${(hue + between(-45, 45) + 360) % 360} ${between(30, 65)}% ${lightness}%)`;

function drawShape(hue: number): string {
  const { width, height } = PICTURE;
  const [x, y, size] = [between(0, width), between(0, height), between(8, 46)];
  const paint = `fill="${colourNear(hue, between(30, 80))}" opacity="${fraction(0.35, 0.9)}"`;
  switch (between(0, 3)) {
    case 0:
      return `<circle cx="${x}" cy="${y}" r="${size}" ${paint}/>`;
    case 1:
      return `<rect x="${x}" y="${y}" width="${size}" height="${between(8, 46)}" rx="${between(0, 12)}" transform="rotate(${between(0, 90)} ${x} ${y})" ${paint}/>`;
    case 2:
      return `<path d="M${x} ${y}l${between(-46, 46)} ${between(10, 46)}l${between(-46, 46)} ${between(-20, 20)}z" ${paint}/>`;
    default:
      return `<path d="M${x} ${y}q${between(-60, 60)} ${between(-60, 60)} ${between(-90, 90)} ${between(-60, 60)}" fill="none" stroke="${colourNear(hue, between(25, 85))}" stroke-width="${between(2, 9)}" opacity="0.8"/>`;
  }
}

/**
 * Draws a picture that nobody has seen before, with the grain of a photograph, so that no two pixels compare equal.
 * Raw RGB.
 */
export async function drawBackground(): Promise<Buffer> {
  const { width, height } = PICTURE;
  const hue = between(0, 359);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="g" x2="1" y2="1">
      <stop stop-color="${colourNear(hue, 64)}"/><stop offset="1" stop-color="${colourNear(hue, 42)}"/>
    </linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#g)"/>${times(34, () => drawShape(hue)).join('')}</svg>`;
  const pixels = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer();
  // By hand, in a loop: making and blending a picture of noise took longer than all the rest.
  const grain = randomBytes(pixels.length);
  for (let i = 0; i < pixels.length; i += 1) {
    const value = (pixels[i] ?? 0) + ((grain[i] ?? 0) % GRAIN) - GRAIN / 2;
    pixels[i] = Math.max(0, Math.min(255, value));
  }
  return pixels;
}
