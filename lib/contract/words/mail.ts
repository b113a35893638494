import { NOTICE_KINDS, type NoticeKind } from './notice';

/** The mails to an account's owner about a change of what signs in to it, its end, or an attack on it. */
export const OWNER_MAILS = [
  'passwordChanged',
  'factorAdded',
  'factorRemoved',
  'passkeyAdded',
  'passkeyRemoved',
  'appRemoved',
  'identityJoined',
  'identityRemoved',
  'recoveryCodesRenewed',
  'recoveryCodeUsed',
  'codesGuessed',
  'accountDeleted',
] as const;
export type OwnerMail = (typeof OWNER_MAILS)[number];

/** The mails about an account or a place in a shop. */
export const ACCOUNT_MAILS = [
  'verification',
  'passwordReset',
  'emailConfirm',
  'emailInUse',
  'emailAsked',
  'emailChanged',
  ...OWNER_MAILS,
  'shopInvitation',
  'setupTrial',
] as const;
export type AccountMail = (typeof ACCOUNT_MAILS)[number];

/** All mails of the shop. Those about alerts are in English. */
export const MAIL_KINDS = [...NOTICE_KINDS, ...ACCOUNT_MAILS, 'alert', 'alerts'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** Topics of mails that a person may mute. What became of an order and its money is always mailed. */
export const MAIL_TOPICS = ['reminders', 'waiting'] as const;
export type MailTopic = (typeof MAIL_TOPICS)[number];

export const isMailTopic = (text: string): text is MailTopic =>
  (MAIL_TOPICS as readonly string[]).includes(text);

/** The topic of a notice's mail; every other mail can't be muted. */
export const TOPIC_OF: Partial<Record<NoticeKind, MailTopic>> = {
  order_received: 'reminders',
  payment_reminder: 'reminders',
  waitlist_given: 'waiting',
  not_drawn: 'waiting',
};
