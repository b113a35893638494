import { expect, it } from 'vitest';
import { sharedPicture } from './shared-picture';

const HASH = '0a'.repeat(32);

it('[O9] previews get the widest file of an uploaded picture, and no SVG', () => {
  expect(sharedPicture(`/media/${HASH}/640.webp`)).toBe(`/media/${HASH}/1280.webp`);
  expect(sharedPicture('https://pictures.test/lamp.jpg')).toBe('https://pictures.test/lamp.jpg');
  expect(sharedPicture('/products/lamp.svg')).toBeNull();
  expect(sharedPicture(null)).toBeNull();
});
