/** Returns what a language calls a country; its code where the browser doesn't know it. @param country ISO 3166-1 alpha-2 */
export function countryName(country: string, locale: string): string {
  return new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' }).of(country) ?? country;
}
