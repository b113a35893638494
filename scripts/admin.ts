import './load-runtime-env';
import { parseArgs } from 'node:util';
import { inviteStaff } from '@/lib/access/invite-staff';
import { STAFF_ROLES } from '@/lib/contract/words/roles';
import { describeRefusal } from './admin/describe-refusal';
import { usageOf } from './infra/usages.mjs';
import { runCommand } from './run-command';
import { UsageError } from './usage-error';

/**
 * `npm run admin -- invite EMAIL --role ROLE`: invites a person to the staff and prints a link that works once. Exit
 * code 0: invited; 2: not, with one sentence.
 */
async function admin(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { role: { type: 'string' } },
  });
  const [verb, email, ...more] = positionals;
  if (verb !== 'invite' || !email || more.length > 0) throw new UsageError(`usage: ${usageOf('admin')}`);
  const role = STAFF_ROLES.find((known) => known === values.role);
  if (!role) throw new UsageError(`--role must be one of ${STAFF_ROLES.join(', ')}`);
  const result = await inviteStaff({ email, role, invitedBy: 'command' });
  if (result.status !== 'invited') throw new UsageError(describeRefusal(email, result.status));
  const until = new Date(result.expiresAt).toISOString().slice(0, 16).replace('T', ' ');
  process.stdout.write(
    `${email} is invited as ${role}. This link works once, until ${until} UTC; whoever has it has the role:\n${result.url}\n`,
  );
  return 0;
}

await runCommand(admin);
