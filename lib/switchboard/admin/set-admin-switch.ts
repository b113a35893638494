import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import type { SideSwitch, SwitchChange } from '@/lib/contract/shapes/switchboard';
import type { SideFeature } from '@/lib/contract/words/side-feature';
import { log } from '@/lib/http/log';
import { setSwitch } from '@/lib/switchboard/set-switch';
import { viewSwitch } from './read-switchboard';

/** Sets a switch and records who did. `conflict`: somebody has changed it since; `view` is as it is now. */
export async function setAdminSwitch(
  actor: Actor,
  feature: SideFeature,
  { mode, version }: SwitchChange,
): Promise<{ status: 'set' | 'conflict'; view: SideSwitch }> {
  const { status, setting } = await setSwitch(
    { feature, mode, version },
    actor.userId,
    async (tx, before) => {
      await recordAction(tx, actor, {
        action: 'side_feature.switch',
        subject: { kind: 'side_feature', id: feature },
        before: { mode: before },
        after: { mode },
      });
      log.warn({ feature, before, mode, userId: actor.userId }, 'a side feature is switched');
    },
  );
  return { status, view: await viewSwitch(feature, setting) };
}
