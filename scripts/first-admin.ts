import { inviteFirstAdmin } from '@/lib/access/invite-first-admin';
import { env } from '@/lib/env';
import { describeRefusal } from './admin/describe-refusal';
import { runCommand } from './run-command';

/**
 * Prints what a start outside the demo has to say about the first admin, as its last lines. `npm start` runs it and
 * keeps its output out of the logs, because anyone who reads a link in it could use it.
 */
await runCommand(async () => {
  const { adminEmail } = env();
  const result = await inviteFirstAdmin(adminEmail);
  for (const line of linesAbout(result, adminEmail ?? '')) process.stdout.write(`${line}\n`);
  return 0;
});

function linesAbout(result: Awaited<ReturnType<typeof inviteFirstAdmin>>, email: string): string[] {
  switch (result.status) {
    case 'has_admin':
      return [];
    case 'nobody_named':
      return ['There is no admin yet: npm run admin -- invite YOU@EXAMPLE.COM --role admin prints a link.'];
    case 'invited':
      return [`The first admin, ${email}, opens this link within three days; it works once:`, result.url];
    default:
      return [`There is no admin yet, and SECKILL_ADMIN_EMAIL ${describeRefusal(email, result.status)}.`];
  }
}
