import { createHmac } from 'node:crypto';
import { setting } from './commands';

/** Returns the token of the links in an account's mails that mute those of a topic. */
export function stopTokenOf(userId: string, topic: 'reminders' | 'waiting'): string {
  const [secret] = setting('NEXTAUTH_SECRET').split(',');
  const signature = createHmac('sha256', `stop mails:${secret}`)
    .update(`${userId} ${topic}`)
    .digest('base64url');
  return `${userId}.${topic}.${signature}`;
}
