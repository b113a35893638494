import { authorize } from '@/lib/account/authorize';
import { acknowledgeSchema } from '@/lib/alert/acknowledge-alert';
import { acknowledgeDeskAlert } from '@/lib/desk/alerts/acknowledge-desk-alert';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

export const POST = route<{ id: string }>(async (request, { id }) => {
  const auth = await authorize(request, 'desk');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, acknowledgeSchema);
  if (!body.ok) return body.response;
  const alert = await acknowledgeDeskAlert(auth.user, id, body.data.note);
  return alert ? json(alert) : problem('ALERT_NOT_FOUND');
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
