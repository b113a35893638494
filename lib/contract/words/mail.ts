import { NOTICE_KINDS } from './notice';

/** The mails about an account, and the one that invites into a shop. */
export const ACCOUNT_MAILS = [
  'verification',
  'passwordReset',
  'passwordChanged',
  'confirmEmail',
  'emailInUse',
  'emailAsked',
  'emailChanged',
  'accountDeleted',
  'factorAdded',
  'factorRemoved',
  'recoveryCodesRenewed',
  'recoveryCodeUsed',
  'passkeyAdded',
  'appRemoved',
  'passkeyRemoved',
  'identityJoined',
  'identityRemoved',
  'shopInvitation',
] as const;
export type AccountMail = (typeof ACCOUNT_MAILS)[number];

/** All mails of the shop but those about alerts. */
export const MAIL_KINDS = [...NOTICE_KINDS, ...ACCOUNT_MAILS] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

export const isMailKind = (text: string): text is MailKind =>
  (MAIL_KINDS as readonly string[]).includes(text);
