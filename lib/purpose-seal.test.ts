import { afterEach, expect, it } from 'vitest';
import { env } from '@/lib/env';
import { sealFor } from './purpose-seal';

const settings = env();
const before = settings.entrySecrets;
const use = (...entrySecrets: string[]) => Object.assign(settings, { entrySecrets });
afterEach(() => use(...before));

const [OLD, NEW] = ['the old secret, which is long enough', 'the new secret, which is long enough'];
const seal = sealFor('tests');

it('[N5 N10] a secret is opened by its owner’s id, while one of the keys has sealed it', () => {
  use(OLD);
  const sealed = seal.sealSecret('me', 'pässword');
  expect(JSON.stringify(sealed)).not.toContain('ssword');
  expect(seal.sealSecret('me', 'pässword').sealedSecret).not.toBe(sealed.sealedSecret);
  use(NEW, OLD);
  expect(seal.openSecret('me', sealed)).toBe('pässword');
  expect(seal.presentKeyMark()).not.toBe(sealed.keyMark);
  expect(seal.openSecret('other', sealed)).toBeNull();
  expect(sealFor('other tests').openSecret('me', sealed)).toBeNull();
  use(NEW);
  expect(seal.openSecret('me', sealed)).toBeNull();
});

it('[N5] a secret that was altered, cut or made up is not opened', () => {
  use(OLD);
  const sealed = seal.sealSecret('me', 'secret');
  const bytes = Buffer.from(sealed.sealedSecret, 'base64url');
  for (let at = 0; at < bytes.length; at += 1) {
    const altered = Buffer.from(bytes);
    altered[at] = (altered[at] as number) ^ 1;
    expect(
      seal.openSecret('me', { ...sealed, sealedSecret: altered.toString('base64url') }),
      `${at}`,
    ).toBeNull();
    const cut = bytes.subarray(0, at).toString('base64url');
    expect(seal.openSecret('me', { ...sealed, sealedSecret: cut }), `${at}`).toBeNull();
  }
});
