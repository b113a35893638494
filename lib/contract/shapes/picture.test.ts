import { describe, expect, it } from 'vitest';
import { MAX_ALT_LENGTH, MAX_PICTURES, mediaPath } from '../words/media';
import { pictures, picturesOf, picturesToStore } from './picture';

const hash = (n: number) => n.toString(16).padStart(64, '0');
const list = (...numbers: number[]) => numbers.map((n) => ({ hash: hash(n), alt: `boat ${n}` }));
const path = (n: number) => mediaPath(hash(n), 640, 'webp');

describe('the pictures of a product', () => {
  it('[O1] are those stored, if the first one is the address', () => {
    expect(picturesOf({ imageUrl: path(1), pictures: list(1, 2) })).toEqual(list(1, 2));
  });

  it('[O1] are only the one of the address, where that was changed alone or what is stored is no list', () => {
    const only = [{ hash: hash(3), alt: '' }];
    for (const stored of [list(1, 2), [], null, 'x', [{ hash: 'x', alt: '' }]])
      expect(picturesOf({ imageUrl: path(3), pictures: stored })).toEqual(only);
  });

  it('[O1] are none where the address is a drawing, one elsewhere, or missing', () => {
    for (const imageUrl of ['/products/lamp.svg', `https://else.test${path(1)}`, `${path(1)}?`, null])
      expect(picturesOf({ imageUrl, pictures: list(1) })).toEqual([]);
  });

  it('[O1] give the address by the first one, and leave what is given once there is none', () => {
    expect(picturesToStore({ imageUrl: '/x.svg', pictures: list(2, 1) }, null)).toEqual({
      imageUrl: path(2),
      pictures: list(2, 1),
    });
    expect(picturesToStore({ imageUrl: '/x.svg', pictures: [] }, path(1))).toEqual({
      imageUrl: '/x.svg',
      pictures: [],
    });
    expect(picturesToStore({ pictures: [] }, path(1))).toEqual({ imageUrl: null, pictures: [] });
    expect(picturesToStore({ pictures: [] }, '/x.svg')).toEqual({ pictures: [] });
  });

  it('[O1] stay with the same address, and go with another', () => {
    expect(picturesToStore({}, path(1))).toEqual({});
    expect(picturesToStore({ imageUrl: path(1) }, path(1))).toEqual({});
    expect(picturesToStore({ imageUrl: '/x.svg' }, path(1))).toEqual({ imageUrl: '/x.svg', pictures: [] });
    expect(picturesToStore({ imageUrl: null }, path(1))).toEqual({ imageUrl: null, pictures: [] });
  });

  it('[O1] are few, each once, with short words', () => {
    const many = list(...Array.from({ length: MAX_PICTURES }, (_, n) => n));
    expect(pictures.safeParse(many).success).toBe(true);
    expect(pictures.safeParse([...many, ...list(99)]).success).toBe(false);
    expect(pictures.safeParse(list(1, 1)).success).toBe(false);
    expect(pictures.safeParse([{ hash: hash(1), alt: 'x'.repeat(MAX_ALT_LENGTH + 1) }]).success).toBe(false);
    expect(pictures.safeParse([{ hash: '../x', alt: '' }]).success).toBe(false);
  });
});
