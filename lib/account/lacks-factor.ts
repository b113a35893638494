import 'server-only';
import { isStaff } from '@/lib/contract/words/roles';
import { env } from '@/lib/env';
import type { CurrentUser } from './types';

/** Says whether a user is staff without the second factor that this shop requires of them. */
export const lacksFactor = ({
  role,
  hasSecondFactor,
}: Pick<CurrentUser, 'role' | 'hasSecondFactor'>): boolean =>
  env().isStaffFactorRequired && isStaff(role) && !hasSecondFactor;
