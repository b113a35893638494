import { z } from 'zod';
import { OFF_BY, SIDE_FEATURES, SWITCH_MODES } from '../words/side-feature';
import { time } from './common';

const share = z.number().min(0).max(1);

/** How a side feature stands in the process that answers. */
const featureState = z.object({
  feature: z.enum(SIDE_FEATURES),
  isOn: z.boolean(),
  offBy: z.enum(OFF_BY).nullable().describe('Null while it is on.'),
  since: time.nullable().describe('Since when it is off; null while it is on.'),
});
export type FeatureState = z.output<typeof featureState>;

const goesAt = share
  .nullable()
  .describe(
    'How busy a web process must be for it to go, if its mode is `by_load`; null: load switches nothing off.',
  );

/** A side feature that is off, and who or what has it off. */
export const featureOff = featureState.omit({ isOn: true }).extend({
  byEmail: z.string().nullable().describe('Who switched it off; null: load did.'),
  goesAt,
});
export type FeatureOff = z.output<typeof featureOff>;

export const sideSwitch = featureState
  .extend({
    mode: z.enum(SWITCH_MODES),
    usualMode: z.enum(SWITCH_MODES).describe('The mode while nobody has changed it.'),
    goesAt,
    changedBy: z.string().nullable(),
    changedByEmail: z.string().nullable(),
    changedAt: time.nullable(),
    version: z.int().describe('What a change is based on; 0: never changed.'),
  })
  .meta({ id: 'SideSwitch' });
export type SideSwitch = z.output<typeof sideSwitch>;

export const switchboard = z
  .object({
    switches: z.array(sideSwitch).describe('In the order in which load switches them off.'),
    busy: share
      .nullable()
      .describe('How busy the busiest web process is: its share of the last 3 seconds. Null: not known.'),
  })
  .meta({ id: 'Switchboard' });
export type Switchboard = z.output<typeof switchboard>;

export const switchChange = z.object({ mode: z.enum(SWITCH_MODES), version: z.number().int().min(0) });
export type SwitchChange = z.output<typeof switchChange>;
