import { inviteFirstAdmin } from '@/lib/access/invite-first-admin';
import { env } from '@/lib/env';
import { checkShop } from '@/lib/preflight/check-shop';
import { isStopping } from '@/lib/preflight/make-check';
import { describeRefusal } from './admin/describe-refusal';
import { runCommand } from './run-command';

/**
 * Prints what the owner of a shop that is no demo has to do next, as the last lines of the start: the first admin, and
 * what is missing before it goes live. `npm start` runs it and keeps its output out of the logs, because anyone who
 * reads a link in it could use it.
 */
await runCommand(async () => {
  const { adminEmail, publicUrl } = env();
  const result = await inviteFirstAdmin(adminEmail);
  const missing = (await checkShop()).filter(isStopping).map(({ id }) => id);
  const lines = linesAbout(result, adminEmail ?? '');
  if (missing.length > 0)
    lines.push(
      `Missing before it goes live: ${missing.join(', ')}. What to do, as admin:`,
      new URL('/admin/setup', publicUrl).href,
    );
  for (const line of lines) process.stdout.write(`${line}\n`);
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
