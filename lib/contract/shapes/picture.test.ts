import { describe, expect, it } from 'vitest';
import { firstPath, pictures, picturesOf, picturesToStore } from './picture';

const [bow, stern] = ['a', 'b'].map((letter) => ({ hash: letter.repeat(64), alt: letter })) as [
  { hash: string; alt: string },
  { hash: string; alt: string },
];
const path = firstPath([bow]);
const LAMP = '/products/lamp.svg';

describe('pictures of a product', () => {
  it.each([
    [
      'the first one is its picture',
      { pictures: [bow, stern] },
      LAMP,
      { imageUrl: path, pictures: [bow, stern] },
    ],
    [
      'own ones go before a drawing',
      { imageUrl: LAMP, pictures: [bow] },
      null,
      { imageUrl: path, pictures: [bow] },
    ],
    ['nothing given changes nothing', {}, path, {}],
    ['the same address changes nothing', { imageUrl: path }, path, {}],
    ['a drawing takes their place', { imageUrl: LAMP }, path, { imageUrl: LAMP, pictures: [] }],
    ['none left is none', { pictures: [] }, path, { imageUrl: null, pictures: [] }],
    ['none left keeps the drawing', { pictures: [] }, LAMP, { imageUrl: LAMP, pictures: [] }],
    ['none left for a drawing', { imageUrl: LAMP, pictures: [] }, path, { imageUrl: LAMP, pictures: [] }],
    [
      'the address of an upload is one',
      { imageUrl: path },
      LAMP,
      { imageUrl: path, pictures: [{ ...bow, alt: '' }] },
    ],
  ])('[O1] %s', (_, given, before, stored) => {
    expect(picturesToStore(given, before)).toEqual(stored);
  });

  it('[O1] count only while the first one is the product’s picture', () => {
    expect(picturesOf({ imageUrl: path, pictures: [bow, stern] })).toEqual([bow, stern]);
    expect(picturesOf({ imageUrl: LAMP, pictures: [bow, stern] })).toEqual([]);
    expect(picturesOf({ imageUrl: null, pictures: [] })).toEqual([]);
  });

  it('[O1] are at most eight, each once, each with 200 characters at most', () => {
    const many = Array.from({ length: 9 }, (_, nr) => ({ hash: String(nr).repeat(64), alt: '' }));
    expect(pictures.safeParse(many.slice(1)).success).toBe(true);
    for (const wrong of [
      many,
      [bow, bow],
      [{ ...bow, alt: 'x'.repeat(201) }],
      [{ hash: 'x', alt: '' }],
      [{ hash: `../${'a'.repeat(61)}`, alt: '' }],
      [{ hash: bow.hash }],
      'a picture',
    ])
      expect(pictures.safeParse(wrong).success).toBe(false);
  });
});
