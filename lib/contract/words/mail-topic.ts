import type { NoticeKind } from './notice';

/** The mails that somebody may do without. What became of an order and its money is always told. */
export const MAIL_TOPICS = ['reminders', 'waiting'] as const;
export type MailTopic = (typeof MAIL_TOPICS)[number];

const TOPIC_OF: Partial<Record<NoticeKind, MailTopic>> = {
  payment_reminder: 'reminders',
  draw_waiting: 'waiting',
  sale_over: 'waiting',
};

/** Returns the topic by which a mail can be muted; undefined: it can't be. */
export const mailTopicOf = (kind: NoticeKind): MailTopic | undefined => TOPIC_OF[kind];

export const isMailTopic = (text: string): text is MailTopic =>
  (MAIL_TOPICS as readonly string[]).includes(text);
