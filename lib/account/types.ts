import type { Locale } from '@/i18n/routing';
import type { Role } from '@/lib/contract/words/roles';

export type CurrentUser = {
  userId: string;
  email: string;
  /** The language of the user's mails. */
  locale: Locale;
  name: string;
  role: Role;
  level: number;
  /** Epoch ms. */
  createdAt: number;
  /** Epoch ms; null: not yet shown that mail to this address reaches the user. */
  emailVerifiedAt: number | null;
  /** Signing in by the password takes a second step. */
  hasSecondFactor: boolean;
  /** The session of this request, when it ends at the latest, and when its owner last showed who they are, epoch ms. */
  session: { id: string; expiresAt: number; confirmedAt: number };
};
