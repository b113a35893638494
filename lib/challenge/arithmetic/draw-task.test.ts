import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { drawTask, PICTURE } from './draw-task';
import { GLYPHS } from './glyphs';

const SIGNS = [...'0123456789+−×=?'];

describe('[G4] the picture of a sum', () => {
  it('has strokes for every sign, and needs no font', () => {
    expect(Object.keys(GLYPHS).sort()).toEqual([...SIGNS].sort());
  });

  it('is a PNG without a word about what it shows, another one each time', async () => {
    const [one, two] = await Promise.all([drawTask([...'34−17=?']), drawTask([...'34−17=?'])]);
    const { format, width, height, exif, xmp, comments } = await sharp(one).metadata();
    expect({ format, width, height }).toEqual({ format: 'png', ...PICTURE });
    expect([exif, xmp, comments]).toEqual([undefined, undefined, undefined]);
    expect(one.equals(two)).toBe(false);
  });

  it('has another shape for each sign', async () => {
    const shapes = await Promise.all(
      SIGNS.map(async (sign) => {
        const path = `<path d="${GLYPHS[sign]}" fill="none" stroke="#000" stroke-width="3"/>`;
        const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="30">${path}</svg>`;
        return (await sharp(Buffer.from(svg)).raw().toBuffer()).toString('hex');
      }),
    );
    expect(new Set(shapes).size).toBe(SIGNS.length);
    expect(shapes.filter((shape) => /^0+$/.test(shape))).toEqual([]);
  });
});
