import { createHmac } from 'node:crypto';
import { setting } from './commands';

/** Returns the token of the links in a reader's mails that stop those of a topic. */
export function stopTokenOf(userId: string, topic: 'reminders' | 'waiting'): string {
  const [secret] = setting('NEXTAUTH_SECRET').split(',');
  const signature = createHmac('sha256', `mail stop:${secret}`)
    .update(`${userId} ${topic}`)
    .digest('base64url');
  return `${userId}.${topic}.${signature}`;
}
