/** React Query's keys for the other answers of a visit. */
export const UNREAD_KEY = ['unread'];
export const reservationKey = (saleId: string, userId: string | null) => ['reservation', saleId, userId];
