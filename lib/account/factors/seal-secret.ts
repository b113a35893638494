import { sealFor } from '@/lib/purpose-seal';

/** Seals the secrets of apps for one-time codes; their owner is the account. */
export const { presentKeyMark, sealSecret, openSecret } = sealFor('one-time codes');
