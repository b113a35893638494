/**
 * The side features, in the order in which load switches them off: the first one goes first and comes back last. The
 * purchase needs none of them. What only staff look at goes before what shoppers see, what can be made up for before
 * what can't, and what keeps scripts away goes last.
 */
export const SIDE_FEATURES = [
  /** Searching the admin area's lists by a text, a person or a time, and their exports. */
  'search',
  /** Answers to "why not me?", to shoppers and staff. */
  'why',
  /** Reminders of orders whose time to pay is running out. */
  'reminders',
  /** Notices to shoppers, in the shop and by mail. */
  'notices',
  /** The figures of a sale in the admin area. */
  'live',
  'challenge_slider',
  'challenge_arithmetic',
  /** The events of a sale's state, which its pages follow. */
  'streams',
  'challenge_sound',
  /** Counting and judging by the risk rules. */
  'risk',
  'challenge_pow',
] as const;
export type SideFeature = (typeof SIDE_FEATURES)[number];

export const isSideFeature = (name: string): name is SideFeature =>
  (SIDE_FEATURES as readonly string[]).includes(name);

/** `by_load`: on until a web process is too busy. */
export const SWITCH_MODES = ['on', 'by_load', 'off'] as const;
export type SwitchMode = (typeof SWITCH_MODES)[number];

/** Why a side feature is off: somebody set its mode to `off`, or a web process is too busy. */
export const OFF_BY = ['mode', 'load'] as const;
export type OffBy = (typeof OFF_BY)[number];

/**
 * Guards of the sale: they stay on under load unless staff say otherwise, because a flood must not switch off its own
 * defence.
 */
const GUARDS: ReadonlySet<SideFeature> = new Set<SideFeature>(['challenge_sound', 'risk', 'challenge_pow']);

/** Returns the mode of a side feature that nobody has switched yet. */
export const usualMode = (feature: SideFeature): SwitchMode => (GUARDS.has(feature) ? 'on' : 'by_load');
