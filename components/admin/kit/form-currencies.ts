/** The currencies that forms offer, beside the one in use. */
export const FORM_CURRENCIES: readonly string[] = ['USD', 'EUR', 'GBP', 'CNY', 'JPY'];
