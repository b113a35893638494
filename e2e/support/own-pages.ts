import { demoAdmin } from './accounts';
import type { Answer } from './client';

/** Writes the shop's page about contact, which stays; doing it again changes nothing. */
export async function writeContactPage(): Promise<Answer> {
  const admin = await demoAdmin();
  const path = '/api/admin/pages/contact';
  const { texts } = (await admin.get(path)).body as { texts: { locale: string; version: number }[] };
  const version = texts.find(({ locale }) => locale === 'en')?.version;
  const body = { locale: 'en', text: 'Write to us at shop@example.com.\n\nWe answer within a day.', version };
  return admin.request('PUT', path, { body });
}
