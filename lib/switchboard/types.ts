import type { SideFeature, SwitchMode } from '@/lib/contract/words/side-feature';

/** A switch that staff have set at least once. */
export type SwitchSetting = {
  feature: SideFeature;
  mode: SwitchMode;
  /** User id. */
  changedBy: string;
  /** Epoch ms. */
  changedAt: number;
  /** From 1. */
  version: number;
};
