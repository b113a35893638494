/** ISO 4217 codes that Intl can format here. */
export const CURRENCIES = Intl.supportedValuesOf('currency') as [string, ...string[]];
