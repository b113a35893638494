import { PATCH } from '@/app/api/admin/switchboard/[feature]/route';
import { GET } from '@/app/api/admin/switchboard/route';
import type { SideSwitch } from '@/lib/contract/shapes/switchboard';
import { type SideFeature, type SwitchMode, usualMode } from '@/lib/contract/words/side-feature';
import { callWith } from './call-as';

export const patchSwitch = (session: string | null, feature: string, body: unknown) =>
  callWith(session, PATCH, { method: 'PATCH', params: { feature }, body });

/** For tests: reads and sets switches as an operator does. @param session the operator's, from `sessionOf` */
export function switchboardOf(session: () => string) {
  const read = async () =>
    ((await (await callWith(session(), GET)).json()) as { switches: SideSwitch[] }).switches;
  const find = async (feature: SideFeature) => {
    const one = (await read()).find((each) => each.feature === feature);
    if (!one) throw new Error(`no switch ${feature}`);
    return one;
  };
  const set = async (feature: SideFeature, mode: SwitchMode) => {
    const { version } = await find(feature);
    const answer = await patchSwitch(session(), feature, { mode, version });
    if (answer.status !== 200) throw new Error(await answer.text());
  };
  return {
    find,
    set,
    /** Gives every switch this mode, or its usual one. */
    async setAll(modes: Partial<Record<SideFeature, SwitchMode>>) {
      for (const { feature, mode } of await read()) {
        const wanted = modes[feature] ?? usualMode(feature);
        if (mode !== wanted) await set(feature, wanted);
      }
    },
  };
}
