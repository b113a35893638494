/** Where React Query keeps what a visit tells besides who is signed in. */
export const UNREAD_KEY = ['unread'];
export const reservationKey = (saleId: string, userId: string | null) => ['reservation', saleId, userId];
