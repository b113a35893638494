import { sealFor } from '@/lib/purpose-seal';

/** Seals the secrets of apps for one-time codes; the owner is the account. */
export const { presentKeyMark, sealSecret, openSecret } = sealFor('one-time codes');
