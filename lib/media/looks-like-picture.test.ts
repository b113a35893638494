import { describe, expect, it } from 'vitest';
import { looksLikePicture } from './looks-like-picture';

const looks = (text: string) => looksLikePicture(Buffer.from(text, 'latin1'));

describe('looksLikePicture', () => {
  it('[O1] knows the beginnings of JPEG, PNG, WebP, AVIF and GIF', () => {
    const good = [
      '\xff\xd8\xff\xe0',
      '\x89PNG\r\n\x1a\n',
      'RIFF\n\r\x00\x01WEBP',
      '\0\0\0\x20ftypavif',
      'GIF89a',
    ];
    for (const text of good) expect(looks(text), text).toBe(true);
  });

  it('[O1] takes nothing else for a picture', () => {
    const bad = [
      '',
      '<svg',
      '<?xml version="1.0"?><svg/>',
      ' GIF89a',
      'RIFF1234WAVE',
      '\0\0\0\x20ftypmp42',
      '%PDF-1.7',
      'GIF8',
    ];
    for (const text of bad) expect(looks(text), text).toBe(false);
  });
});
