import { cutText } from '@/lib/human-text';

const REASONS: Readonly<Record<string, string>> = {
  email_invalid: 'is no e-mail address',
  already_staff: 'has this role already, or is an admin, whose role is changed in the admin area',
  banned: 'is banned: lift that first',
  demo_account: 'is an account of the demo, whose password everybody knows',
};

/** Returns one sentence about an invitation that was not made. @param status of `inviteStaff` */
export const describeRefusal = (email: string, status: string): string =>
  `${JSON.stringify(cutText(email, 100))} ${REASONS[status] ?? `can't be invited (${status})`}`;
