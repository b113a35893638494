/** How many sales the first page shows and fetches the state of. */
export const SALES_SHOWN = 60;
