import 'server-only';
import type { Setup, SetupStep } from '@/lib/contract/shapes/setup';
import { STAFF_ROLES } from '@/lib/contract/words/roles';
import { db } from '@/lib/db/client';
import { env } from '@/lib/env';

const DAY_MS = 86_400_000;
/** An older backup would lose more than a week. */
const BACKUP_DAYS = 7;
/** One asks, another one approves. */
const APPROVERS = 2;
const LOCAL_NAME = /^(localhost|127\.|\[::1\]|0\.0\.0\.0)/;

type Facts = {
  approvers: number;
  /** Members of staff without a second factor. */
  withoutFactor: number;
  backupAt: Date | null;
  nowMs: number;
};

/**
 * Tells what is missing before this shop can go live. The settings are those of the process that answers.
 * @throws connection errors
 */
export async function readSetup(): Promise<Setup> {
  const [approvers, withoutFactor, backup] = await Promise.all([
    db().user.count({ where: { role: { in: ['admin', 'operator'] }, bannedAt: null, isDemo: false } }),
    db().user.count({
      where: { role: { in: [...STAFF_ROLES] }, bannedAt: null, secondFactorAt: null, isDemo: false },
    }),
    db().backup.findFirst({ orderBy: { takenAt: 'desc' } }),
  ]);
  const backupAt = backup?.takenAt ?? null;
  return setupOf(env(), { approvers, withoutFactor, backupAt, nowMs: Date.now() });
}

/** Judges settings and facts. */
export function setupOf(
  settings: ReturnType<typeof env>,
  { approvers, withoutFactor, backupAt, nowMs }: Facts,
): Setup {
  const { isDemo, publicUrl, isHttps, trustProxyHops, smtpUrl, logSigningKey, alertEmailTo, alertWebhook } =
    settings;
  const step = (
    id: SetupStep['id'],
    isDone: boolean,
    found: string | null = null,
    otherwise: 'todo' | 'advice' = 'todo',
  ): SetupStep => ({ id, state: isDone ? 'done' : otherwise, found });
  const { host } = new URL(publicUrl);
  const keys = {
    NEXTAUTH_SECRET: settings.nextAuthSecrets,
    ENTRY_SECRET: settings.entrySecrets,
    INTERNAL_SECRET: settings.internalSecrets,
  };
  const rotating = Object.entries(keys).flatMap(([name, { length }]) => (length > 1 ? [name] : []));
  const alertsTo = [...alertEmailTo, ...(alertWebhook ? [new URL(alertWebhook.url).host] : [])];
  const isBackupRecent = backupAt !== null && nowMs - backupAt.getTime() < BACKUP_DAYS * DAY_MS;
  const steps = [
    step('demo', !isDemo, `SECKILL_DEMO=${isDemo ? 1 : 0}`),
    step('address', isHttps && !LOCAL_NAME.test(host), publicUrl),
    step('proxy', trustProxyHops > 0, String(trustProxyHops), 'advice'),
    step('mail', smtpUrl !== undefined, smtpUrl === undefined ? null : new URL(smtpUrl).host),
    step(
      'payment',
      settings.stripe?.isLive === true,
      settings.stripe ? `Stripe (${settings.stripe.isLive ? '…_live_…' : '…_test_…'})` : 'sandbox',
    ),
    step('staff', approvers >= APPROVERS, String(approvers)),
    step('factors', settings.isStaffFactorRequired && withoutFactor === 0, String(withoutFactor), 'advice'),
    step(
      'signing',
      logSigningKey !== undefined,
      logSigningKey === undefined ? null : 'LOG_SIGNING_KEY',
      'advice',
    ),
    step('keys', rotating.length === 0, rotating.join(', ') || null, 'advice'),
    step('backup', isBackupRecent, backupAt?.toISOString() ?? null),
    step('alerts', alertsTo.length > 0, alertsTo.join(', ') || null),
  ];
  return { isReady: steps.every(({ state }) => state !== 'todo'), steps };
}
