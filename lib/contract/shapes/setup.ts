import { z } from 'zod';
import { SETUP_STATES, SETUP_STEPS } from '../words/setup';

const setupStep = z.object({
  id: z.enum(SETUP_STEPS),
  state: z.enum(SETUP_STATES).describe('`todo`: don’t go live without it. `advice`: better with it.'),
  found: z
    .string()
    .nullable()
    .describe(
      'What the shop has now, as a setting names it; never a secret. Null: nothing, or nothing to name.',
    ),
});
export type SetupStep = z.output<typeof setupStep>;

export const setup = z
  .object({ isReady: z.boolean().describe('No step is `todo`.'), steps: z.array(setupStep) })
  .meta({ id: 'Setup' });
export type Setup = z.output<typeof setup>;
