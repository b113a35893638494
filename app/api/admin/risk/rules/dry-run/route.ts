import { authorize } from '@/lib/account/authorize';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { dryRun } from '@/lib/risk/dry-run';
import { dryRunSchema } from '@/lib/risk/rule-schema';
import { watchRisk } from '@/lib/risk/watch-risk';

export const POST = route(async (request) => {
  const auth = await authorize(request, 'operator');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, dryRunSchema);
  if (!body.ok) return body.response;
  await watchRisk();
  return json(await dryRun(body.data.definition));
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
